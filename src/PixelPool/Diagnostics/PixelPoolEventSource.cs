using System.Diagnostics.Tracing;

namespace PixelPool.Diagnostics;

/// <summary>The event source "PixelPool": what happens to memory, for <c>dotnet-trace</c>, <c>dotnet-counters</c>, PerfView and listeners in the process.</summary>
[EventSource(Name = "PixelPool")]
internal sealed class PixelPoolEventSource : EventSource
{
    private PixelPoolEventSource()
    {
    }

    public static PixelPoolEventSource Log { get; } = new();

    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes the rent holds.</param>
    /// <param name="source">Where they came from: Hit, Miss, Small or Unpooled.</param>
    [Event(1, Level = EventLevel.Verbose)]
    public void Rented(string allocator, long bytes, string source) => WriteEvent(1, allocator, bytes, source);

    [Event(2, Level = EventLevel.Verbose)]
    public void Returned(string allocator, long bytes) => WriteEvent(2, allocator, bytes);

    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes that were got from the system.</param>
    [Event(3, Level = EventLevel.Informational)]
    public void Allocated(string allocator, long bytes) => WriteEvent(3, allocator, bytes);

    [Event(4, Level = EventLevel.Informational)]
    public void Trimmed(string allocator, long bytes, string reason) => WriteEvent(4, allocator, bytes, reason);

    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes that were returned and went to the system instead of the pool.</param>
    /// <param name="reason">Unpooled, or Disposed.</param>
    [Event(5, Level = EventLevel.Informational)]
    public void Dropped(string allocator, long bytes, string reason) => WriteEvent(5, allocator, bytes, reason);

    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes that a finalizer returned.</param>
    /// <param name="ageMilliseconds">How long ago they were rented; −1 when that was not recorded.</param>
    /// <param name="place">The method, file and line that rented them; empty when that was not recorded.</param>
    /// <param name="stack">The whole stack; empty when it was not recorded.</param>
    [Event(6, Level = EventLevel.Error)]
    public void Leaked(string allocator, long bytes, double ageMilliseconds, string place, string stack) =>
        WriteEvent(6, allocator, bytes, ageMilliseconds, place, stack);

    [Event(7, Level = EventLevel.Warning)]
    public void BudgetExceeded(string allocator, long requestedBytes, long limitBytes) => WriteEvent(7, allocator, requestedBytes, limitBytes);

    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes that had to be waited for.</param>
    /// <param name="milliseconds">How long.</param>
    /// <param name="outcome">Granted, Cancelled, TimedOut or Disposed.</param>
    [Event(8, Level = EventLevel.Informational)]
    public void Waited(string allocator, long bytes, double milliseconds, string outcome) => WriteEvent(8, allocator, bytes, milliseconds, outcome);

    /// <param name="name">The environment variable or the switch.</param>
    /// <param name="value">What it says.</param>
    /// <param name="reason">Why it is not used.</param>
    [Event(9, Level = EventLevel.Warning)]
    public void SettingIgnored(string name, string value, string reason) => WriteEvent(9, name, value, reason);

    /// <param name="allocator">The allocator's name.</param>
    /// <param name="error">What a handler of its Leaked event threw.</param>
    [Event(10, Level = EventLevel.Error)]
    public void LeakHandlerFailed(string allocator, string error) => WriteEvent(10, allocator, error);
}
