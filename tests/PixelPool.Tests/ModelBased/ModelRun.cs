using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.FSharp.Core;

namespace PixelPool.Tests.ModelBased;

/// <summary>Random sequences of commands, each on a new subject; a sequence that fails is made as short as possible.</summary>
/// <remarks>
/// <c>PIXELPOOLTESTS_MODEL_OPERATIONS</c> says how many commands all tests of this kind do together. <c>PIXELPOOLTESTS_MODEL_SEED</c> repeats a run, or one
/// sequence: both are written into the output of the test.
/// </remarks>
internal static class ModelRun
{
    private const double DefaultOperations = 100_000;
    private const int MostCommands = 400;

    /// <summary>Fails with the shortest sequence that was found in which subject and model differ.</summary>
    /// <param name="share">The part of all operations that this test does.</param>
    /// <param name="weights">How often each act is chosen, against the others.</param>
    /// <param name="largest">The largest size of a command.</param>
    /// <param name="create">A new subject.</param>
    public static void Check<TAct>(double share, (int Weight, TAct Act)[] weights, int largest, Func<Subject<TAct>> create)
        where TAct : struct, Enum
    {
        string? asked = Environment.GetEnvironmentVariable("PIXELPOOLTESTS_MODEL_OPERATIONS");
        double operations = share * (asked is null ? DefaultOperations : double.Parse(asked, CultureInfo.InvariantCulture));
        Replay replay = FindSeed();
        Write($"PIXELPOOLTESTS_MODEL_SEED={replay.Rnd.Seed},{replay.Rnd.Gamma}");
        Config config = Config.QuickThrowOnFailure
            .WithMaxTest(Math.Max(1, (int)(2 * operations / MostCommands)))
            .WithStartSize(MostCommands)
            .WithEndSize(MostCommands)
            .WithReplay(replay);
        long done = 0;
        long doneBeforeFailure = 0;
        try
        {
            FsCheck.Check.One(config, Prop.ForAll(Commands.Of(weights, largest), commands =>
            {
                try
                {
                    Run(create, commands, ref done);
                }
                catch (Exception e)
                {
                    if (doneBeforeFailure == 0)
                    {
                        // Now: what does not fail each time is not found again while the sequence is made shorter.
                        doneBeforeFailure = done;
                        Write($"failed: {e}");
                    }

                    throw;
                }
            }));
        }
        finally
        {
            Write(doneBeforeFailure == 0 ? $"{done} operations" : $"{doneBeforeFailure} operations up to the first failure, {done - doneBeforeFailure} to make the sequence shorter");
        }
    }

    private static void Run<TAct>(Func<Subject<TAct>> create, Command<TAct>[] commands, ref long done)
        where TAct : struct, Enum
    {
        using Subject<TAct> subject = create();
        foreach (Command<TAct> command in commands)
        {
            subject.Do(command);
            subject.Check();
            done++;
        }

        subject.End();
    }

    // Two numbers repeat a run. With the size, as FsCheck writes it at the end, they are those of one sequence.
    private static Replay FindSeed()
    {
        if (Environment.GetEnvironmentVariable("PIXELPOOLTESTS_MODEL_SEED") is not { } asked)
        {
            return new Replay(new Rnd((ulong)System.Random.Shared.NextInt64()), FSharpOption<int>.None);
        }

        ulong[] numbers = [.. asked.Split(',').Select(static number => ulong.Parse(number, CultureInfo.InvariantCulture))];
        return new Replay(
            numbers.Length == 1 ? new Rnd(numbers[0]) : new Rnd(numbers[0], numbers[1]),
            numbers.Length > 2 ? FSharpOption<int>.Some((int)numbers[2]) : FSharpOption<int>.None);
    }

    private static void Write(string line) => TestContext.Current.TestOutputHelper?.WriteLine(line);
}
