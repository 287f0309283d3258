using Microsoft.Extensions.Logging;
using PixelPool.Diagnostics;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Logs what was rented from one allocator and forgotten. Errors: the memory came back, but some code has to be repaired.</summary>
internal sealed partial class LeakLog(ILogger logger, string allocator)
{
    public void OnLeaked(object? sender, LeakedEventArgs leaked)
    {
        RentRecord rent = leaked.Rent;
        if (rent is { Age: { } age, Place: { } place, Stack: { } stack })
        {
            LogLeaked(logger, allocator, rent.Bytes, age.TotalSeconds, place, Environment.NewLine, stack.ToString().TrimEnd());
        }
        else
        {
            LogLeakedSomewhere(logger, allocator, rent.Bytes);
        }
    }

    [LoggerMessage(
        2,
        LogLevel.Error,
        "{Allocator}: {Bytes:N0} bytes were rented and forgotten. They were rented {AgeSeconds:0.###} s ago at {Place}, never disposed, and returned by a finalizer."
            + "{NewLine}{Stack}",
        EventName = "Leaked")]
    private static partial void LogLeaked(ILogger logger, string allocator, long bytes, double ageSeconds, string place, string newLine, string stack);

    [LoggerMessage(
        3,
        LogLevel.Error,
        "{Allocator}: {Bytes:N0} bytes were rented and forgotten: never disposed, and returned by a finalizer. Where they were rented was not recorded; with "
            + "LeakTracking.Full it is.",
        EventName = "LeakedSomewhere")]
    private static partial void LogLeakedSomewhere(ILogger logger, string allocator, long bytes);
}
