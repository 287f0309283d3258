using System.Runtime.CompilerServices;
using PixelPool.Accounts;
using PixelPool.Lifetime;
using PixelPool.Threading;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>
/// What one thread returned last, for that thread to rent next: guards that keep their memory. The thread takes and returns them with plain loads and stores.
/// Others count, trim and take what is here through the <see cref="BiasedLock"/>.
/// </summary>
/// <remarks>
/// Invariants. A guard in here has one block, one array, or one piece of a slab, and nothing else: no budget but the allocator's, nothing fresh, nothing to report. With a budget it
/// stays charged. A guard that comes from here and was not used for anything else names the cache as its owner: so returning it needs only a thread check.
/// It is made by the thread whose cache it is.
/// </remarks>
/// <param name="all">All caches of the pool.</param>
/// <param name="accounts">What all stripes count together.</param>
/// <param name="blockBytes">Bytes of a block.</param>
/// <param name="chargedBlockBytes">Bytes that stay charged for a block that is kept; 0 when there is no budget.</param>
/// <param name="scheduler">The pool's scheduler, if it has one.</param>
/// <param name="predecessor">The retired cache in whose place this one comes, if there is one: what that counted is counted on.</param>
internal sealed partial class ThreadCache(ThreadCaches all, MemoryAccounts accounts, int blockBytes, long chargedBlockBytes, TrimScheduler? scheduler, ThreadCache? predecessor)
    : GuardCache(accounts, new Magazines(MostOfSize, MostSmallBytes, Math.Max(1, Math.Min(MostOfSize, MostBlockBytes / blockBytes))), predecessor?.Counters ?? default)
{
    // A thread keeps at most 8 MiB of blocks, beside less than 4 MiB of small memory, and of each size no more than so many.
    private const int MostBlockBytes = 8 << 20;
    private const int MostSmallBytes = (4 << 20) - 1;
    private const int MostOfSize = 8;

    // Nothing of a size is rented that was full so often in a row. By chance that is rare: once in 2⁸, where as many are rented as returned.
    private const int OnlyReturned = 8;

    // A thread that waits for a processor does not do so for long. Where many threads rent, each of them is asked about many times meanwhile.
    private const int UnusedMilliseconds = 100;

    // Held by who pauses it, through a barrier. Its owner takes neither this nor the lock of the stripe.
    private readonly FairLock _pauses = new();
    private UninterruptibleLock.Holder _paused;

    private readonly object _ownerLeft = new();
    private long _threadNumber = ThreadNumber.Claim();
    private BiasedLock _owner;

    // What another thread saw, and when it saw that first.
    private long _usesSeen = -1;
    private long _usesSeenAt;

    // Rents, and what was there, at the end of the last period. -1 rents: none has ended yet, or others took a block since.
    private (long Rents, int Count) _blocksSeen = (-1, 0);
    private (long Rents, long Bytes) _smallSeen = (-1, 0);

#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _after;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>Whether it is that of the calling thread. A retired one is nobody's: its thread may have another one.</summary>
    public bool IsMine
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _threadNumber == ThreadNumber.Mine;
    }

    /// <summary>The whole rent of a block, an array, or a piece of a slab. Called by the owner.</summary>
    /// <param name="size">Its size, one of <see cref="Magazines"/>; those that have no stack are not kept.</param>
    /// <param name="bytes">Bytes of the rent.</param>
    /// <returns>Null when there is none, or no room to read beside the bytes in an array: nothing was taken.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LifetimeGuard? TryRent(int size, int bytes)
    {
        LifetimeGuard? guard = null;
        if (_owner.TryEnter())
        {
            guard = Magazines.Last(size) ?? Fetch(size);
            if (guard is not null && (guard.Array is not { } array || TryPlace(guard, array, bytes)))
            {
                // In this order: see ChargedIdleUses.
                Count(guard, size);
                Magazines.RemoveLast(size, (int)guard.LastBlockBytes);
                guard.Open();
            }
            else
            {
                guard = null;
            }
        }

        Leave();
        return guard;
    }

    /// <summary>Keeps the memory of a guard whose rent has ended. Called by the owner.</summary>
    /// <param name="guard">The guard: it has one block, one array or one piece, and nothing else is to be done.</param>
    /// <param name="size">The size of that, one of <see cref="Magazines"/>.</param>
    /// <returns>False when it does not: nothing was done.</returns>
    public bool TryReturn(LifetimeGuard guard, int size)
    {
        guard.SetOwnerCache(this, size);
        return TryCache(guard);
    }

    /// <summary>Keeps what it kept before the rent that has ended. Called by the owner.</summary>
    /// <param name="guard">A guard of which this is the owner cache, and with which nothing else is to be done.</param>
    /// <returns>False when it does not: nothing was done.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryCache(LifetimeGuard guard)
    {
        bool kept = false;
        if (_owner.TryEnter())
        {
            kept = !guard.IsFinalizationPending && !guard.IsPinned && TryPush(guard, guard.KeptSize, (int)guard.LastBlockBytes);
            Counters.RentedBytes -= kept ? guard.LastBlockBytes : 0;
        }

        Leave();
        if (kept && scheduler is not null && !scheduler.IsArmed)
        {
            scheduler.Arm();
        }

        return kept;
    }

    // After every attempt to enter.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Leave()
    {
        if (_owner.Exit())
        {
            BiasedLock.Wake(_ownerLeft);
        }
    }

    // Whether an array has a place for so many bytes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryPlace(LifetimeGuard guard, byte[] array, int bytes)
    {
        bool found = ArrayMargin.TryFind(array, bytes, out int offset);
        guard.MoveInArray(offset);
        return found;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Count(LifetimeGuard guard, int size)
    {
        Counters.RentedBytes += guard.LastBlockBytes;
        Counters.SmallRents += size == Magazines.Block ? 0 : 1;
        if (size == Magazines.Block ? CountHit() : CountOther())
        {
            guard.RequestSample();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryPush(LifetimeGuard guard, int size, int bytes) =>
        (Magazines.HasRoom(size, bytes) || TryPassOn(size, bytes)) && (chargedBlockBytes == 0 || !IsRecalled) && Magazines.TryAdd(size, bytes, guard);

    // What other threads return. Blocks pass through the stripes. Whoever takes back what threads keep empties caches first: from then on nothing comes to them.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? Fetch(int size)
    {
        if (size == Magazines.Block || IsRecalled)
        {
            return null;
        }

        // Their rents are those of this thread from now on.
        all.Transfer.HandOut(ref Magazines, size);
        foreach (LifetimeGuard? guard in Magazines.GuardsOf(size))
        {
            guard!.SetOwnerCache(this, size);
        }

        return Magazines.Last(size);
    }

    // Only what the thread returns and does not rent: others that rent as much as they return would fetch what they pass on, one from the other.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryPassOn(int size, int bytes) =>
        size != Magazines.Block && Magazines.CountFull(size, OnlyReturned) == OnlyReturned && all.Transfer.TryTakeOver(ref Magazines, size, bytes);
}
