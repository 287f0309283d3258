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

    public Gen2Callback(TrimScheduler scheduler) => _scheduler = GCHandle.Alloc(scheduler, GCHandleType.Weak);

    ~Gen2Callback()
    {
        // Also runs when the constructor failed. Where there is no memory to come again, only the timer trims from then on.
        if (_scheduler.IsAllocated && !(_scheduler.Target is TrimScheduler scheduler && scheduler.OnGen2Collection() && TryRegisterAgain(this)))
        {
            _scheduler.Free();
        }
    }

    /// <summary>Lets an object that is being finalized be finalized once more.</summary>
    /// <returns>False when there is no memory for that.</returns>
    public static bool TryRegisterAgain(object finalized)
    {
        try
        {
            GC.ReRegisterForFinalize(finalized);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }
}
