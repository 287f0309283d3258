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

    public Gen2Callback(TrimScheduler scheduler) => _scheduler = GCHandle.Alloc(scheduler, GCHandleType.Weak);

    ~Gen2Callback()
    {
        // Also runs when the constructor failed. Where there is no memory to come again, only the timer trims from then on.
        if (_scheduler.IsAllocated && !(_scheduler.Target is TrimScheduler scheduler && scheduler.OnGen2Collection() && Finalization.TryRegisterAgain(this)))
        {
            _scheduler.Free();
        }
    }
}
