using System.Runtime.CompilerServices;
using PixelPool.Threading;

namespace PixelPool.Accounts;

/// <summary>
/// What the threads of one processor count, and the lock for it: a part of the <see cref="MemoryAccounts"/>. The depot of a pool keeps its blocks under the same
/// lock, so that a rent takes one lock and writes to no line that another processor writes to.
/// </summary>
/// <param name="accounts">All stripes together.</param>
/// <param name="counted">What it counts on from.</param>
internal abstract class AccountStripe(MemoryAccounts accounts, StripeCounters counted = default) : LockedStripe
{
    /// <summary>What was counted here.</summary>
    protected StripeCounters Counters = counted;

    /// <summary>
    /// Bytes of idle blocks that stay charged to the allocator's budget, so that the next rents of as many need not charge it. What the budget has charged is what is rented, that of all stripes, and what threads
    /// keep.
    /// </summary>
    protected long Credit;

    private readonly CreditRecall _recall = accounts.Recall;

    // The number of hits at which the next rent is sampled. Rents of other tiers are no hits: each brings it nearer by one.
    private long _sampleAt;

    /// <summary>Counts what happened.</summary>
    public void Count(in StripeCounters change)
    {
        Pause();
        Counters.Add(change);
        Resume();
    }

    /// <summary>The next rent is sampled.</summary>
    public void SampleNextRent()
    {
        Pause();
        _sampleAt = 0;
        Resume();
    }

    /// <summary>Stops every rent and return of this stripe, for some ten nanoseconds.</summary>
    public void Pause()
    {
        if (BeginPause())
        {
            ProcessBarrier.Issue();
        }

        AwaitPause();
    }

    /// <summary>Begins to stop every rent and return.</summary>
    /// <returns>True when <see cref="AwaitPause"/> may come only after a <see cref="ProcessBarrier"/>: one barrier may serve many stripes.</returns>
    public virtual bool BeginPause() => false;

    /// <summary>Waits until they have stopped. Only here, because a barrier takes longer than a rent: whoever comes meanwhile goes on.</summary>
    public virtual void AwaitPause() => Gate.Enter(this);

    /// <summary>Ends the pause.</summary>
    public virtual void Resume() => Gate.Exit(this);

    /// <summary>Adds this stripe's share to the sums. To be called while all stripes are paused.</summary>
    /// <param name="sums">Those of all stripes.</param>
    public void ReadInto(ref StripeCounters sums) => sums.Add(Counters);

    /// <summary>Bytes that are charged to the budget and rented by nobody. Exact while it is paused.</summary>
    public virtual long ChargedIdleBytes => Volatile.Read(ref Credit);

    /// <summary>Grows with every use of that, and with other rents: counted before it is used, so who sees none, and sees none later, and the same number of uses, knows that there was none in between.</summary>
    public long ChargedIdleUses => Volatile.Read(ref Counters.ChargedUses) + Volatile.Read(ref Counters.SmallRents) + Volatile.Read(ref Counters.Hits);

    /// <summary>Takes the credit of the stripe, in bytes. To be called while it is paused.</summary>
    public long TakeCredit() => Interlocked.Exchange(ref Credit, 0);

    /// <summary>One rent in many is sampled: all that the others pay for it is a comparison with a counter that is there anyway.</summary>
    /// <returns>Whether this one is.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected bool CountHit() => ++Counters.Hits >= _sampleAt && BeginSample();

    /// <summary>The same for a rent that is no hit of the depot.</summary>
    protected bool CountOther() => --_sampleAt <= Counters.Hits && BeginSample();

    /// <summary>Whether the budget wants back what nobody rents.</summary>
    protected bool IsRecalled => _recall.IsRunning;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool BeginSample()
    {
        _sampleAt = Counters.Hits + accounts.Listener.SampleInterval;
        return true;
    }
}
