using System.Runtime.CompilerServices;
using PixelPool.Lifetime;

namespace PixelPool.Pooling;

/// <content>One rent in many is looked at. All that the others pay for events and leak reports is a comparison with a counter that is there anyway.</content>
internal sealed partial class DepotStripe
{
    // The hit that is looked at. Rents of other tiers take a guard only: they bring it nearer.
    private long _lookAt;

    /// <summary>The next rent is looked at.</summary>
    public void LookAtNextRent()
    {
        _gate.Enter(this);
        try
        {
            _lookAt = 0;
        }
        finally
        {
            _gate.Exit(this);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountHit(LifetimeGuard guard)
    {
        if (++_counters.Hits >= _lookAt)
        {
            AskForLook(guard);
        }
    }

    private void CountGuard(LifetimeGuard guard)
    {
        if (--_lookAt <= _counters.Hits)
        {
            AskForLook(guard);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AskForLook(LifetimeGuard guard)
    {
        _lookAt = _counters.Hits + tracking.Interval;
        guard.AskForLook();
    }
}
