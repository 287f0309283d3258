using PixelPool.Threading;

namespace PixelPool.Diagnostics;

/// <summary>
/// Tells the event source and the handlers of one allocator about leaks, one after the other on the thread pool: never on the finalizer thread, which a
/// handler could block or end.
/// </summary>
/// <param name="allocator">The allocator's name.</param>
/// <param name="sender">What handlers are told to be the sender.</param>
/// <param name="handlers">The handlers there are now.</param>
internal sealed class LeakReporter(string allocator, object sender, Func<EventHandler<LeakedEventArgs>?> handlers)
{
    // While a handler blocks, so many leaks wait for it. The statistics count all of them.
    private const int MaxPending = 1024;

    private readonly UninterruptibleLock _gate = new();
    private readonly Queue<RentRecord> _pending = new();
    private bool _running;

    /// <summary>False when nobody would hear of a leak.</summary>
    public bool IsHeard => handlers() is not null || PixelPoolEventSource.Log.IsListeningToLeaks;

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

    private static string DescribeHolder(RentRecord rent) =>
        rent.HolderPlace is { } place ? $"{rent.Holder} made at {place}" : rent.Holder.ToString();

    private void Raise(RentRecord rent)
    {
        if (handlers() is not { } all)
        {
            return;
        }

        var leaked = new LeakedEventArgs(rent);
        foreach (Delegate handler in all.GetInvocationList())
        {
            try
            {
                ((EventHandler<LeakedEventArgs>)handler)(sender, leaked);
            }
#pragma warning disable CA1031 // A handler that fails must not end the process, nor keep the others from being called.
            catch (Exception e)
            {
                TellFailure(e);
            }
#pragma warning restore CA1031
        }
    }

    private void TellFailure(Exception error)
    {
        if (PixelPoolEventSource.Log.IsListeningToLeaks)
        {
            PixelPoolEventSource.Log.LeakHandlerFailed(allocator, ApplicationFailure.Describe(error));
        }
    }

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
                    allocator,
                    rent.Bytes,
                    rent.Age?.TotalMilliseconds ?? -1,
                    rent.Place ?? string.Empty,
                    ApplicationFailure.Shorten(rent.StackText),
                    DescribeHolder(rent),
                    rent.Tag ?? string.Empty);
            }

            Raise(rent);
        }
    }
}
