using FsCheck;
using FsCheck.Fluent;

namespace PixelPool.Tests.ModelBased;

/// <summary>Sequences of commands: how they are made, and made smaller.</summary>
internal static class Commands
{
    /// <summary>As many numbers of objects are told apart.</summary>
    public const int Objects = 64;

    /// <summary>As many ways of doing something.</summary>
    public const int Forms = 24;

    /// <summary>Sequences of at most as many commands as the size of the run says.</summary>
    /// <param name="weights">How often each act is chosen, against the others.</param>
    /// <param name="largest">The largest size of a command. Small ones are as frequent as large ones, by doublings.</param>
    public static Arbitrary<Command<TAct>[]> Of<TAct>((int Weight, TAct Act)[] weights, int largest)
        where TAct : struct, Enum
    {
        Gen<TAct> acts = Gen.Frequency(weights.Select(static weight => (weight.Weight, Gen.Constant(weight.Act))).ToArray());
        Gen<int> sizes =
            from doublings in Gen.Choose(0, (int)Math.Log2(largest) + 1)
            from size in Gen.Choose(0, Math.Min(largest, (1 << doublings) - 1))
            select size;
        Gen<Command<TAct>> commands =
            from act in acts
            from which in Gen.Choose(0, Objects - 1)
            from size in sizes
            from form in Gen.Choose(0, Forms - 1)
            select new Command<TAct>(act, which, size, form);
        return Arb.From(Gen.ArrayOf(commands), Shrink);
    }

    // Large parts first, so that a long sequence is short after few tries; then single commands.
    private static IEnumerable<Command<TAct>[]> Shrink<TAct>(Command<TAct>[] commands)
        where TAct : struct, Enum
    {
        for (int count = commands.Length / 2; count > 0; count /= 2)
        {
            for (int end = commands.Length; end >= count; end -= count)
            {
                yield return [.. commands.AsSpan(0, end - count), .. commands.AsSpan(end)];
            }
        }

        for (int i = 0; i < commands.Length; i++)
        {
            foreach (Command<TAct> smaller in Shrink(commands[i]))
            {
                Command<TAct>[] shrunk = [.. commands];
                shrunk[i] = smaller;
                yield return shrunk;
            }
        }
    }

    private static IEnumerable<Command<TAct>> Shrink<TAct>(Command<TAct> command)
        where TAct : struct, Enum =>
        Shrink(command.Which).Select(which => command with { Which = which })
            .Concat(Shrink(command.Form).Select(form => command with { Form = form }))
            .Concat(Shrink(command.Size).Select(size => command with { Size = size }));

    private static IEnumerable<int> Shrink(int number)
    {
        for (int less = number; less > 0; less /= 2)
        {
            yield return number - less;
        }
    }
}
