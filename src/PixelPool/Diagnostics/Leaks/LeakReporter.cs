using PixelPool.Threading;

namespace PixelPool.Diagnostics;

/// <summary>
/// Tells the event source and the handlers of one allocator about leaks, one after the other on the thread pool: never on the finalizer thread, which a
/// handler could block or end.
/// </summary>
internal sealed class LeakReporter(PixelAllocator allocator, string name)
{
    // While a handler blocks, so many leaks wait for it. The statistics count all of them.
    private const int MaxPending = 1024;

    private readonly UninterruptibleLock _gate = new();
    private readonly Queue<RentRecord> _pending = new();
    private bool _running;

    /// <summary>False when nobody would hear of a leak.</summary>
    public bool IsHeard => allocator.HasLeakHandlers || PixelPoolEventSource.Log.IsListeningToLeaks;

    public void Report(RentRecord rent)
    {
        using (_gate.Hold())
        {
            if (_pending.Count >= MaxPending)
            {
                return;
            }

            _pending.Enqueue(rent);
            if (_running)
            {
                return;
            }

            _running = true;
        }

        ThreadPoolQueue.Enqueue(static reporter => ((LeakReporter)reporter!).TellAll(), this);
    }

    /// <summary>Tells the event source what a handler threw. Never throws.</summary>
    public static void TellFailure(string name, Exception error)
    {
        if (PixelPoolEventSource.Log.IsListeningToLeaks)
        {
            PixelPoolEventSource.Log.LeakHandlerFailed(name, ApplicationFailure.Describe(error));
        }
    }

    private static string DescribeHolder(RentRecord rent) =>
        rent.HolderPlace is { } place ? $"{rent.Holder} made at {place}" : rent.Holder.ToString();

    private void TellAll()
    {
        while (true)
        {
            RentRecord rent;
            using (_gate.Hold())
            {
                if (_pending.Count == 0)
                {
                    _running = false;
                    return;
                }

                rent = _pending.Dequeue();
            }

            if (PixelPoolEventSource.Log.IsListeningToLeaks)
            {
                PixelPoolEventSource.Log.Leaked(
                    name, rent.Bytes, rent.Age?.TotalMilliseconds ?? -1, rent.Place ?? string.Empty, ApplicationFailure.Shorten(rent.StackText), DescribeHolder(rent));
            }

            allocator.RaiseLeaked(rent);
        }
    }
}
