using System.Runtime.InteropServices;
using PixelPool.Threading;

namespace PixelPool.Trimming;

/// <summary>
/// Runs a trim scheduler after every collection of generation 2, on the finalizer thread: an object that registers itself for finalization
/// again each time it was finalized ends in generation 2 and is then found dead only there. It comes even when timers do not, because the
/// thread pool is starved, and it ends with the scheduler.
/// </summary>
internal sealed class Gen2Callback
{
    private GCHandle _scheduler;
    private long _tenSeconds;
    private int _caused;

    public Gen2Callback(TrimScheduler scheduler) => _scheduler = GCHandle.Alloc(scheduler, GCHandleType.Weak);

    ~Gen2Callback()
    {
        // Also runs when the constructor failed. Where there is no memory to come again, only the timer trims from then on.
        if (_scheduler.IsAllocated && !(_scheduler.Target is TrimScheduler scheduler && Look(scheduler) && Finalization.TryRegisterAgain(this)))
        {
            _scheduler.Free();
        }
    }

    // A look allocates. Where managed memory has run out that is a collection, after which everybody looks: the runtime's pools of arrays and threads, too. So that it ends, no look follows in ten
    // seconds in which more than a few came of looks: a collection of a large heap takes a good part of a second.
    private bool Look(TrimScheduler scheduler)
    {
        long tenSeconds = TimeProvider.System.GetTimestamp() / (10 * TimeProvider.System.TimestampFrequency);
        (_tenSeconds, _caused) = (tenSeconds, tenSeconds == _tenSeconds ? _caused : 0);
        int collections = GC.CollectionCount(GC.MaxGeneration);
        bool goesOn = _caused > 4 || scheduler.OnGen2Collection();
        _caused += GC.CollectionCount(GC.MaxGeneration) - collections;
        return goesOn;
    }
}
