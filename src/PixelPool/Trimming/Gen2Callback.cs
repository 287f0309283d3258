using System.Runtime.InteropServices;

namespace PixelPool.Trimming;

/// <summary>
/// Runs a trim scheduler after every collection of generation 2, on the finalizer thread: an object that registers itself for finalization
/// again each time it was finalized ends in generation 2 and is then found dead only there. It comes even when timers do not, because the
/// thread pool is starved, and it ends with the scheduler.
/// </summary>
internal sealed class Gen2Callback
{
    private GCHandle _scheduler;

    private Gen2Callback(TrimScheduler scheduler) => _scheduler = GCHandle.Alloc(scheduler, GCHandleType.Weak);

    ~Gen2Callback()
    {
        // Also runs when the constructor failed.
        if (_scheduler.IsAllocated && !(_scheduler.Target is TrimScheduler scheduler && scheduler.OnGen2Collection() && TryRegisterAgain()))
        {
            _scheduler.Free();
        }
    }

    // False when there is no memory for that: from then on only the timer trims.
    private bool TryRegisterAgain()
    {
        try
        {
            GC.ReRegisterForFinalize(this);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    public static void Register(TrimScheduler scheduler) => _ = new Gen2Callback(scheduler);
}
