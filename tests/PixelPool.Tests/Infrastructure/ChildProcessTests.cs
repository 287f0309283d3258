namespace PixelPool.Tests.Infrastructure;

public class ChildProcessTests
{
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);

    [Fact]
    public void Output_arguments_and_environment_pass_through()
    {
        string output = ChildProcess.Run(WriteArguments, ["first", "two words", "\"quoted\""], "PIXELPOOLTESTS_CHILD=from=parent");
        Assert.Equal(["first|two words|\"quoted\"", "from=parent", "other process"], Lines(output));
    }

    [Fact]
    public void Method_without_parameters_runs() => Assert.Equal(["ran"], Lines(ChildProcess.Run(WriteRan)));

    [Fact]
    public void Exception_text_comes_back()
    {
        ChildProcessResult result = ChildProcess.RunToEnd((Action)ThrowSomething, [], [], s_minute);
        Assert.Equal(ChildProcess.FailureExitCode, result.ExitCode);
        Assert.Contains(nameof(InvalidTimeZoneException) + ": thrown in the child", result.Error, StringComparison.Ordinal);
        Assert.Contains(nameof(ThrowSomething), result.Error, StringComparison.Ordinal);
        Assert.Contains("before", result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Failure_fails_the_test()
    {
        var failure = Assert.ThrowsAny<Exception>(() => ChildProcess.Run(ThrowSomething));
        Assert.Contains("thrown in the child", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Exit_code_comes_back() =>
        Assert.Equal(3, ChildProcess.RunToEnd((Action)ExitWithThree, [], [], s_minute).ExitCode);

    [Fact]
    public void Child_that_hangs_is_ended() =>
        Assert.Throws<TimeoutException>(() => ChildProcess.RunToEnd((Action)Hang, [], [], TimeSpan.FromMilliseconds(200)));

    [Fact]
    public void Method_of_an_object_is_refused() =>
        Assert.Throws<ArgumentException>(() => ChildProcess.RunToEnd((Action)Output_arguments_and_environment_pass_through, [], [], s_minute));

    private static void WriteArguments(string[] args)
    {
        Console.WriteLine(string.Join('|', args));
        Console.WriteLine(Environment.GetEnvironmentVariable("PIXELPOOLTESTS_CHILD"));
        Console.WriteLine(TestContext.Current.Test is null ? "other process" : "same process");
    }

    private static void WriteRan() => Console.WriteLine("ran");

    private static void ThrowSomething()
    {
        Console.WriteLine("before");
        throw new InvalidTimeZoneException("thrown in the child");
    }

    private static void ExitWithThree() => Environment.Exit(3);

    private static void Hang()
    {
        using var never = new ManualResetEventSlim();
        never.Wait();
    }

    private static string[] Lines(string text) => text.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
}
