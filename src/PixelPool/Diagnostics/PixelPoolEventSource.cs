#if NET
using System.Diagnostics.CodeAnalysis;
#endif
using System.Diagnostics.Tracing;
using PixelPool.Accounts;
using PixelPool.Threading;

namespace PixelPool.Diagnostics;

/// <summary>The event source "PixelPool": what happens to memory, for <c>dotnet-trace</c>, PerfView and listeners in the process.</summary>
/// <remarks>
/// Ids, names and payloads are stable. Without a listener nothing is allocated: whoever has to compute something for an event asks first whether somebody listens to it. No lock is
/// held: listeners run on the thread that raises it. <c>docs/metrics.md</c> is the table for users.
/// <para>
/// Bytes of <see cref="Allocated"/> − <see cref="Trimmed"/> − <see cref="Dropped"/> are what a pool got from the system and did not give back. Arrays of the
/// small tier are managed memory: they are in none of them.
/// </para>
/// </remarks>
[EventSource(Name = SourceName)]
internal sealed class PixelPoolEventSource : EventSource
{
    private const string SourceName = "PixelPool";

    private static PixelPoolEventSource? s_log;
    private static int s_isMade;

    // The name once more: the runtime would look for the attribute, which takes a short program several milliseconds.
    private PixelPoolEventSource()
        : base(SourceName, EventSourceSettings.EtwManifestEventFormat)
    {
    }

    /// <summary>Null until <see cref="Make"/> is done, and while nobody listens.</summary>
    public static PixelPoolEventSource? Log => Volatile.Read(ref s_log) is { } log && log.IsEnabled() ? log : null;

    /// <summary>
    /// Makes it, once: called for each allocator and pool. Throws nothing. Not by an initializer of the type, for which others would wait: whoever listens is called meanwhile, may use the library on other threads, and may wait for those.
    /// </summary>
    public static void Make()
    {
        try
        {
            if (Interlocked.Exchange(ref s_isMade, 1) == 0 && Volatile.Read(ref s_log) is null)
            {
                var made = new PixelPoolEventSource();
                Volatile.Write(ref s_log, made.ConstructionException is ThreadInterruptedException or OutOfMemoryException ? throw made.ConstructionException : made);
                if (made.IsEnabled())
                {
                    MemoryAccounts.SampleNextRentsOfAll();
                }
            }
        }
#pragma warning disable CA1031 // No memory, an interrupt, or what a listener throws that cannot say what it is.
        catch (Exception e)
        {
            // The next allocator makes it.
            Uninterrupted.Keep(e);
            Volatile.Write(ref s_isMade, 0);
        }
#pragma warning restore CA1031
    }

    /// <summary>Whether somebody wants to know of such events.</summary>
    public static bool IsListeningTo(EventKeywords keywords, EventLevel level = EventLevel.Error) => Log?.IsEnabled(level, keywords) == true;

    // Nobody pays for events of single rents before somebody listens: from then on, no rent is left out. Called by the constructor, too.
    protected override void OnEventCommand(EventCommandEventArgs command) => MemoryAccounts.SampleNextRentsOfAll();

    /// <summary>Memory was rented, or charged for others.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes the rent holds.</param>
    /// <param name="source">Where they came from: Hit, Miss, Small, Unpooled, Wrapped or External.</param>
    /// <param name="tag">What the rent is for (<see cref="RentScope.Tag"/>); empty when that was not said.</param>
    [Event(1, Version = 1, Level = EventLevel.Verbose, Keywords = Keywords.Rents)]
    public void Rented(string allocator, long bytes, string source, string tag) => Write(1, allocator, bytes, text: source, text2: tag);

    /// <summary>Rented memory came back.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes the rent held.</param>
    /// <param name="tag">What the rent was for; empty when that was not said.</param>
    [Event(2, Version = 1, Level = EventLevel.Verbose, Keywords = Keywords.Rents)]
    public void Returned(string allocator, long bytes, string tag) => Write(2, allocator, bytes, text: tag);

    /// <summary>Memory was got from the system.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes that were got.</param>
    [Event(3, Level = EventLevel.Informational, Keywords = Keywords.Memory)]
    public void Allocated(string allocator, long bytes) => Write(3, allocator, bytes);

    /// <summary>Idle memory was given back to the system.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes that went back.</param>
    /// <param name="reason">Timer, Gen2, Pressure, Request, OutOfMemory, Budget or Disposal.</param>
    [Event(4, Level = EventLevel.Informational, Keywords = Keywords.Memory)]
    public void Trimmed(string allocator, long bytes, string reason) => Write(4, allocator, bytes, text: reason);

    /// <summary>Memory went back to the system because the pool could not keep it.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes that went back.</param>
    /// <param name="reason">
    /// Unpooled: it never was the pool's. Disposed: it came back too late. Unwieldy: it could not be kept, or had the wrong shape in a full pool.
    /// </param>
    [Event(5, Level = EventLevel.Informational, Keywords = Keywords.Memory)]
    public void Dropped(string allocator, long bytes, string reason) => Write(5, allocator, bytes, text: reason);

    /// <summary>A finalizer returned what somebody forgot.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes that were returned.</param>
    /// <param name="ageMilliseconds">How long ago they were rented; −1 when that was not recorded.</param>
    /// <param name="place">The method, file and line that rented them; empty when that was not recorded.</param>
    /// <param name="stack">The whole stack; empty when it was not recorded.</param>
    /// <param name="holder">
    /// Owner when what was rented was not disposed. View when it was, but a view or a pin of it was not: with the method, file and line that made it, if that
    /// was recorded.
    /// </param>
    /// <param name="tag">What the rent was for; empty when that was not said.</param>
    [Event(6, Version = 1, Level = EventLevel.Error, Keywords = Keywords.Leaks)]
    public void Leaked(string allocator, long bytes, double ageMilliseconds, string place, string stack, string holder, string tag) =>
        Write(6, allocator, bytes, null, ageMilliseconds, place, stack, holder, tag);

    /// <summary>A budget refused a request.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="requestedBytes">Bytes that were asked for.</param>
    /// <param name="limitBytes">The limit they did not keep to.</param>
    [Event(7, Level = EventLevel.Warning, Keywords = Keywords.Budget)]
    public void BudgetExceeded(string allocator, long requestedBytes, long limitBytes) => Write(7, allocator, requestedBytes, limitBytes);

    /// <summary>A wait for budget ended.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes that had to be waited for.</param>
    /// <param name="milliseconds">How long.</param>
    /// <param name="outcome">Granted, Cancelled, TimedOut, Disposed, or Failed: another exception ended it.</param>
    [Event(8, Level = EventLevel.Informational, Keywords = Keywords.Budget)]
    public void Waited(string allocator, long bytes, double milliseconds, string outcome) => Write(8, allocator, bytes, null, milliseconds, outcome);

    /// <summary>A setting of the process cannot be used.</summary>
    /// <param name="name">The environment variable or the switch.</param>
    /// <param name="value">What it says.</param>
    /// <param name="reason">Why it is not used.</param>
    [Event(9, Level = EventLevel.Warning, Keywords = Keywords.Configuration)]
    public void SettingIgnored(string name, string value, string reason) => Write(9, name, text: value, text2: reason);

    /// <summary>An application's handler of a leak report threw.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="error">What it threw.</param>
    [Event(10, Level = EventLevel.Error, Keywords = Keywords.Leaks)]
    public void LeakHandlerFailed(string allocator, string error) => Write(10, allocator, text: error);

    /// <summary>
    /// Code that the application supplied (a clock, a timer, a pool of arrays, a source of memory pressure) threw where nobody could be told otherwise. The library
    /// went on without it.
    /// </summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="member">What was called, such as <c>ITimer.Change</c>.</param>
    /// <param name="error">What it threw.</param>
    [Event(11, Level = EventLevel.Error, Keywords = Keywords.Failures)]
    public void ApplicationFailed(string allocator, string member, string error) => Write(11, allocator, text: member, text2: error);

    /// <summary>A lease was disposed that had been disposed already, or native code released pixels that it had released. Nothing was done.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="place">The method, file and line that returned it again, or called the native code that did; empty when that was not recorded.</param>
    /// <param name="stack">The whole stack; empty when it was not recorded.</param>
    [Event(12, Level = EventLevel.Error, Keywords = Keywords.Misuse)]
    public void ReturnedTwice(string allocator, string place, string stack) => Write(12, allocator, text: place, text2: stack);

    /// <summary>A request has waited long for budget.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="bytes">Bytes that it asks for.</param>
    /// <param name="milliseconds">How long it has waited.</param>
    /// <param name="place">The method, file and line that asked; empty when that was not recorded.</param>
    /// <param name="stack">The whole stack; empty when it was not recorded.</param>
    /// <param name="report">Who waits, who holds the budget, and whether that is a deadlock, in words.</param>
    /// <param name="tag">What the rent is for; empty when that was not said.</param>
    [Event(13, Level = EventLevel.Warning, Keywords = Keywords.Budget)]
    public void WaitsLong(string allocator, long bytes, double milliseconds, string place, string stack, string report, string tag) =>
        Write(13, allocator, bytes, null, milliseconds, place, stack, report, tag);

    // Those who listen miss an event for which there is no memory, or which one of them stops: the runtime asks what they throw for its text, and that may throw, too. What it tells of goes on.
#if NET
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Only strings and numbers are written: no object whose properties could be trimmed.")]
#endif
    [NonEvent]
    private void Write(int id, string allocator, long? bytes = null, long? limit = null, double? milliseconds = null, string? text = null, string? text2 = null, string? text3 = null, string? text4 = null)
    {
        try
        {
            object?[] values = [allocator, bytes, limit, milliseconds, text, text2, text3, text4];
            WriteEvent(id, Array.FindAll(values, IsGiven));
        }
#pragma warning disable CA1031 // whatever the application throws
        catch (Exception e)
        {
            Uninterrupted.Keep(e);
        }
#pragma warning restore CA1031
    }

    // No lambda: where there is no memory for what makes it, it fails for good, and with it what is told.
    private static bool IsGiven(object? value) => value is not null;

    /// <summary>Groups of events that are enabled together.</summary>
    public static class Keywords
    {
        /// <summary>Every rent and every return.</summary>
        public const EventKeywords Rents = (EventKeywords)0x1;

        /// <summary>Memory that is got from the system or given back to it.</summary>
        public const EventKeywords Memory = (EventKeywords)0x2;

        /// <summary>Memory that was forgotten.</summary>
        public const EventKeywords Leaks = (EventKeywords)0x4;

        /// <summary>Requests that the budget had no room for.</summary>
        public const EventKeywords Budget = (EventKeywords)0x8;

        /// <summary>Settings of the process.</summary>
        public const EventKeywords Configuration = (EventKeywords)0x10;

        /// <summary>Code of the application that threw.</summary>
        public const EventKeywords Failures = (EventKeywords)0x20;

        /// <summary>What the application did wrong, and what did no harm.</summary>
        public const EventKeywords Misuse = (EventKeywords)0x40;
    }
}
