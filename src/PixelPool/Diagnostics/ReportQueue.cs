using PixelPool.Threading;

namespace PixelPool.Diagnostics;

/// <summary>
/// Tells the event source and the handlers of one allocator what was found, one report after the other on the thread pool: never on the thread that found it, such as that of
/// finalizers, which a handler could block or end.
/// </summary>
/// <param name="sender">What handlers are told to be the sender.</param>
/// <param name="handlers">The handlers there are now.</param>
/// <param name="write">Tells the event source. Handlers are told whatever it throws.</param>
/// <param name="onFailure">Called with what a handler threw. Throws nothing.</param>
internal sealed class ReportQueue<TReport>(object sender, Func<EventHandler<TReport>?> handlers, Action<TReport> write, Action<Exception> onFailure) : IThreadPoolWorkItem
    where TReport : EventArgs
{
    // While a handler blocks, so many reports wait for it. The statistics count all of them.
    private const int MaxPending = 1024;

    private readonly UninterruptibleLock _gate = new();
    private readonly Queue<TReport> _pending = new();
    private bool _running;

    /// <summary>Reports something, or throws for lack of memory: then nothing is told of it.</summary>
    public void Report(TReport report)
    {
        using (_gate.Hold())
        {
            if (_pending.Count < MaxPending)
            {
                _pending.Enqueue(report);
            }

            if (_running)
            {
                return;
            }

            _running = true;
        }

        if (!ThreadPoolQueue.TryEnqueue(this))
        {
            // It is told with the next one.
            using (_gate.Hold())
            {
                _running = false;
            }
        }
    }

    /// <summary>Tells everything that is pending.</summary>
    public void Execute()
    {
        while (TryTake() is { } report)
        {
            try
            {
                try
                {
                    write(report);
                }
                finally
                {
                    // Handlers may want less of it than what is written.
                    Raise(report);
                }
            }
#pragma warning disable CA1031 // whatever the runtime throws, for want of memory or of an assembly: it would end the process
            catch (Exception)
            {
                // The statistics count it.
            }
#pragma warning restore CA1031
        }
    }

    private TReport? TryTake()
    {
        using (_gate.Hold())
        {
            _running = _pending.Count != 0;
            return _running ? _pending.Dequeue() : null;
        }
    }

    private void Raise(TReport report)
    {
        foreach (Delegate handler in handlers()?.GetInvocationList() ?? [])
        {
            try
            {
                ((EventHandler<TReport>)handler)(sender, report);
            }
#pragma warning disable CA1031 // A handler that fails must not end the process, nor keep the others from being called.
            catch (Exception e)
            {
                onFailure(e);
            }
#pragma warning restore CA1031
        }
    }
}
