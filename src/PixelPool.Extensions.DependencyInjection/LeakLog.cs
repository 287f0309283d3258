using Microsoft.Extensions.Logging;
using PixelPool.Diagnostics;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Logs what was rented, charged or reserved of one allocator and forgotten. Errors: it came back, but some code has to be repaired.</summary>
internal sealed partial class LeakLog(ILogger logger, string allocator)
{
    public void OnLeaked(object? sender, LeakedEventArgs leaked)
    {
        RentRecord rent = leaked.Rent;
        string size = ByteSize.Format(rent.Bytes);
        string ofTag = rent.Tag is null ? string.Empty : $" of \"{rent.Tag}\"";
        string taken = rent.Kind switch { RentKind.ExternalCharge => "charged", RentKind.Reservation => "reserved", _ => "rented" };
        string fault = rent switch
        {
            { Holder: RentHolder.Owner } => "They were never disposed",
            { HolderPlace: { } holder } => $"They were disposed, but the view or the pin that was made at {holder} was not",
            _ => "They were disposed, but a view or a pin was not",
        };
        if (rent is { Age: { } age, Place: { } place, StackText: { } stack })
        {
            LogLeaked(logger, allocator, size, rent.Bytes, ofTag, taken, age.TotalSeconds, place, fault, Environment.NewLine, stack.TrimEnd());
        }
        else
        {
            LogLeakedSomewhere(logger, allocator, size, rent.Bytes, ofTag, taken, fault);
        }
    }

    [LoggerMessage(
        2,
        LogLevel.Error,
        "{Allocator}: {Size} ({Bytes:N0} bytes){OfTag}, {Taken} {AgeSeconds:0.###} s ago at {Place}, were forgotten. {Fault}: a finalizer returned them."
            + "{NewLine}{Stack}",
        EventName = "Leaked")]
    private static partial void LogLeaked(
        ILogger logger, string allocator, string size, long bytes, string ofTag, string taken, double ageSeconds, string place, string fault, string newLine, string stack);

    [LoggerMessage(
        3,
        LogLevel.Error,
        "{Allocator}: {Size} ({Bytes:N0} bytes){OfTag} were {Taken} and forgotten. {Fault}: a finalizer returned them. Where they were {Taken} was not recorded: "
            + "LeakTracking.Full records it.",
        EventName = "LeakedSomewhere")]
    private static partial void LogLeakedSomewhere(ILogger logger, string allocator, string size, long bytes, string ofTag, string taken, string fault);
}
