using System.Diagnostics.Tracing;
using PixelPool.Lifetime;
using Keywords = PixelPool.Diagnostics.PixelPoolEventSource.Keywords;

namespace PixelPool.Diagnostics;

/// <summary>What the handlers of one allocator, and the event source, are told of it: leaks, and requests that wait long. Thread-safe; throws only for lack of memory.</summary>
/// <param name="name">What reports and events call the allocator.</param>
/// <param name="sender">The allocator, as handlers are told.</param>
/// <param name="leakHandlers">The handlers of leaks that it has now.</param>
/// <param name="longWaitHandlers">The handlers of long waits that it has now.</param>
internal sealed class AllocatorReports(
    string name, object sender, Func<EventHandler<LeakedEventArgs>?> leakHandlers, Func<EventHandler<LongWaitEventArgs>?> longWaitHandlers)
{
    private ReportQueue<LeakedEventArgs>? _leaks;
    private ReportQueue<LongWaitEventArgs>? _longWaits;

    /// <summary>A finalizer returned this rent. Does nothing if nobody wants to know.</summary>
    public void TellLeaked(RentRecord rent)
    {
        if (leakHandlers() is not null || PixelPoolEventSource.IsListeningTo(Keywords.Leaks))
        {
            // By one thread: that of finalizers.
            _leaks ??= new(sender, leakHandlers, WriteLeaked, failure => PixelPoolEventSource.Log?.LeakHandlerFailed(name, ApplicationFailure.Describe(failure)));
            _leaks.Report(new LeakedEventArgs(rent));
        }
    }

    /// <summary>Requests wait long. Does nothing if nobody wants to know.</summary>
    public void TellLongWaits(List<WaitFacts> waits, Func<WaitFacts[]> waiting, Func<IReadOnlyList<RentRecord>> held, bool isDeadlock)
    {
        if (longWaitHandlers() is not null || PixelPoolEventSource.IsListeningTo(Keywords.Budget, EventLevel.Warning))
        {
            // Two looks that come together for the first time may tell their reports beside each other.
            _longWaits ??= new(sender, longWaitHandlers, WriteWaitsLong, failure => PixelPoolEventSource.Log?.ApplicationFailed(name, "PixelAllocator.LongWait", ApplicationFailure.Describe(failure)));

            // One list and one text for all of them: there may be thousands, at a time when memory is short.
            WaitingRent[] all = WaitingRent.Of(waiting());
            IReadOnlyList<RentRecord> rents = held();
            var holders = new Lazy<string>(() => LongWaitEventArgs.Describe(rents), LazyThreadSafetyMode.PublicationOnly);
            waits.ForEach(wait => _longWaits.Report(new LongWaitEventArgs(new WaitingRent(in wait), all, rents, holders, isDeadlock)));
        }
    }

    private void WriteLeaked(LeakedEventArgs leaked)
    {
        RentRecord rent = leaked.Rent;
        if (PixelPoolEventSource.IsListeningTo(Keywords.Leaks))
        {
            PixelPoolEventSource.Log?.Leaked(
                name,
                rent.Bytes,
                rent.Age?.TotalMilliseconds ?? -1,
                rent.Place ?? string.Empty,
                ApplicationFailure.Shorten(rent.StackText),
                rent.HolderPlace is { } place ? $"{rent.Holder} made at {place}" : rent.Holder.ToString(),
                ApplicationFailure.Shorten(rent.Tag));
        }
    }

    private void WriteWaitsLong(LongWaitEventArgs report)
    {
        WaitingRent wait = report.Wait;
        if (PixelPoolEventSource.IsListeningTo(Keywords.Budget, EventLevel.Warning))
        {
            PixelPoolEventSource.Log?.WaitsLong(
                name,
                wait.Bytes,
                wait.Waited.TotalMilliseconds,
                wait.Place ?? string.Empty,
                ApplicationFailure.Shorten(wait.StackText),
                ApplicationFailure.Shorten(report.ToString()),
                ApplicationFailure.Shorten(wait.Tag));
        }
    }
}
