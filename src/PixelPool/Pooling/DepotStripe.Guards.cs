using PixelPool.Lifetime;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

// Parked guards. They are memory, too: those that nobody needs any more are let go.
internal sealed partial class DepotStripe
{
    // So many guards are no surplus: what they take is not worth a timer.
    private const int FewGuards = 32;

    private LifetimeGuard?[] _guards = new LifetimeGuard?[FewGuards];
    private int _guardCount;
    private IdleHistory _guardHistory = new();

    /// <summary>Takes a parked guard and counts what the rent it begins changes.</summary>
    /// <param name="smallRents">1 when it is one of the small tier that is counted here.</param>
    /// <param name="bytes">Bytes of a piece, or beside blocks, that it holds and are counted here.</param>
    /// <returns>Null, and nothing was counted, when none is parked here.</returns>
    public LifetimeGuard? TakeGuard(int smallRents, long bytes)
    {
        using (Hold())
        {
            if (_guardCount == 0)
            {
                return null;
            }

            Counters.SmallRents += smallRents;
            Counters.RentedBytes += bytes;
            LifetimeGuard guard = PopGuard();
            _guardHistory.Observe(_guardCount);
            if (CountOther())
            {
                guard.RequestSample();
            }

            return guard;
        }
    }

    /// <summary>How many guards beyond a few seem to be parked here; of a depot that is closed, all of them. A hint: others may be changing that.</summary>
    public int SurplusGuards => Volatile.Read(ref _guardCount) - (_closed ? 0 : FewGuards);

    /// <summary>Lets go of so many guards, if there are. The collector takes them: they hold nothing.</summary>
    public void LetGuardsGo(int count)
    {
        for (int i = 0; i < count && TakeSurplusGuard() is { } guard; i++)
        {
            // Without the lock: the list of guards has one of its own, which readers of all guards hold for long.
            guard.Retire();
        }
    }

    /// <summary>Parks a guard that holds nothing, and counts what the rent it ends changes. Where the depot is closed the guard is retired.</summary>
    /// <param name="guard">The guard.</param>
    /// <param name="bytes">Bytes that the rent holds no more.</param>
    /// <returns>Whether there are so many now that they are to be trimmed.</returns>
    public bool ParkGuard(LifetimeGuard guard, long bytes)
    {
        using (Hold())
        {
            Counters.RentedBytes -= bytes;
            Park(guard);
            return _guardCount > FewGuards;
        }
    }

    private LifetimeGuard? TakeSurplusGuard()
    {
        using (Hold())
        {
            _guardHistory.Forget(1);
            return _guardCount == 0 ? null : PopGuard();
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
        guard.ForgetOwnerCache();
        if (!_closed && !guard.IsFinalizationPending && (_guardCount < _guards.Length || TryGrow(ref _guards, _guardCount + 1)))
        {
            _guards[_guardCount++] = guard;
            return;
        }

        guard.Retire();
    }
}
