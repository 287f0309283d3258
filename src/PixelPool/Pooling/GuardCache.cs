using PixelPool.Accounts;
using PixelPool.Lifetime;

namespace PixelPool.Pooling;

/// <summary>Guards that keep their memory for the next rents: idle memory that is in no stripe.</summary>
/// <param name="accounts">What all stripes count together.</param>
/// <param name="magazines">Where they are.</param>
/// <param name="counted">What it counts on from.</param>
internal abstract class GuardCache(MemoryAccounts accounts, Magazines magazines, StripeCounters counted = default) : AccountStripe(accounts, counted)
{
    /// <summary>Where they are.</summary>
    protected Magazines Magazines = magazines;

    /// <summary>How many blocks it seems to keep. A hint: others may be changing that.</summary>
    public int BlockCount => Magazines.CountOf(Magazines.Block);

    /// <summary>How many bytes of small memory it seems to keep. A hint: others may be changing that.</summary>
    public long SmallBytes => Magazines.SmallBytes;

    /// <inheritdoc/>
    public override long ChargedIdleBytes => SmallBytes;

    /// <summary>Takes all guards that keep small memory, which has to be given back then.</summary>
    /// <returns>The first of them: <see cref="LifetimeGuard.NextTaken"/> leads to the others.</returns>
    public LifetimeGuard? TakeSmall()
    {
        LifetimeGuard? first = null;
        Pause();
        while (Magazines.TakeSmall() is { } guard)
        {
            guard.NextTaken = first;
            first = guard;
        }

        Resume();
        return first;
    }

    /// <summary>Whether it keeps anything.</summary>
    public bool HasAny()
    {
        Pause();
        bool any = BlockCount != 0 || SmallBytes != 0;
        Resume();
        return any;
    }
}
