namespace PixelPool.Tests.Streams;

/// <summary>One use of a stream, and what came of it in words that can be compared.</summary>
/// <param name="Name">What theories call it.</param>
/// <param name="Run">Starts it. Its task has what the call returned, if that is anything.</param>
/// <param name="EndsWhatIsLent">Whether memory that was lent to a writer cannot be advanced over afterwards.</param>
internal sealed record StreamCall(string Name, Func<Stream, Task<object?>> Run, bool EndsWhatIsLent)
{
    /// <summary>What the call returned or threw, and whether it threw at once or from the task.</summary>
    public async Task<string> OutcomeAsync(Stream stream)
    {
        Task<object?> running;
        try
        {
            running = Run(stream);
        }
        catch (Exception e)
        {
            return "throws " + Describe(e);
        }

        try
        {
            return "returns " + Describe(await running);
        }
        catch (Exception e)
        {
            return (running.IsCanceled ? "is cancelled: " : "fails: ") + Describe(e);
        }
    }

    private static string Describe(object? result) => result switch
    {
        byte[] bytes => Convert.ToHexString(bytes),
        null => "nothing",
        _ => result.ToString()!,
    };

    // Which argument it was matters where it is said that one is wrong; MemoryStream does not name the origin of a seek.
    private static string Describe(Exception e) =>
        e.GetType().Name + (e is ArgumentNullException or ArgumentOutOfRangeException ? " of " + ((ArgumentException)e).ParamName : string.Empty);
}
