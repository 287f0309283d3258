using PixelPool.Lifetime;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <content>Parked guards. They are memory, too: those that nobody needs any more are let go.</content>
internal sealed partial class DepotStripe
{
    private LifetimeGuard?[] _guards = new LifetimeGuard?[32];
    private int _guardCount;
    private IdleHistory _guardHistory = new();

    /// <summary>Takes a parked guard and counts what the rent it begins changes.</summary>
    /// <param name="smallRents">1 when it is one of the small tier that is counted here.</param>
    /// <param name="bytes">Bytes that were got for it and are counted here.</param>
    /// <returns>Null, and nothing was counted, when none is parked here.</returns>
    public LifetimeGuard? TakeGuard(int smallRents, long bytes)
    {
        _gate.Enter();
        try
        {
            if (_guardCount == 0)
            {
                return null;
            }

            _counters.SmallRents += smallRents;
            _counters.RentedBytes += bytes;
            _counters.AllocatedBytes += bytes;
            LifetimeGuard guard = PopGuard();
            _guardHistory.Observe(_guardCount);
            CountGuard(guard);
            return guard;
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Takes a guard that the policy does not want to keep.</summary>
    /// <returns>Null when none is parked here.</returns>
    public LifetimeGuard? TakeSurplusGuard()
    {
        _gate.Enter();
        try
        {
            if (_guardCount == 0)
            {
                return null;
            }

            _guardHistory.Forget(1);
            return PopGuard();
        }
        finally
        {
            _gate.Exit();
        }
    }

    /// <summary>Parks a guard that holds nothing and counts what the rent it ends changes.</summary>
    /// <param name="guard">The guard.</param>
    /// <param name="bytes">Bytes of the rent that went back where they came from.</param>
    /// <returns>False when the depot is closed: the guard is to be retired.</returns>
    public bool ParkGuard(LifetimeGuard guard, long bytes)
    {
        _gate.Enter();
        try
        {
            _counters.RentedBytes -= bytes;
            _counters.ReleasedBytes += bytes;
            if (_closed)
            {
                return false;
            }

            Park(guard);
            return true;
        }
        finally
        {
            _gate.Exit();
        }
    }

    private void EndRent(LifetimeGuard? guard, long rentedBytes)
    {
        _counters.RentedBytes -= rentedBytes;
        if (guard is not null)
        {
            Park(guard);
        }
    }

    private LifetimeGuard PopGuard()
    {
        LifetimeGuard guard = _guards[--_guardCount]!;
        _guards[_guardCount] = null;
        return guard;
    }

    private void Park(LifetimeGuard guard)
    {
        if (!guard.IsFinalizationPending && (_guardCount < _guards.Length || TryGrow(ref _guards, _guardCount + 1)))
        {
            _guards[_guardCount++] = guard;
            return;
        }

        guard.Retire();
    }
}
