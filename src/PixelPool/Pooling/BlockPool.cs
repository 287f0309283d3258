using PixelPool.Accounts;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>
/// The blocks of a <see cref="UniformUnmanagedMemoryPool"/>, or of an allocator: idle ones lie in a depot that is striped by processor, with the guards that nobody
/// uses. Single blocks and runs of them come from there; what is missing comes from the system, up to a capacity.
/// </summary>
/// <remarks>Nothing is mapped, unmapped or cleared while a lock is held. A pool that is dropped without being disposed is finalized: its idle blocks are freed.</remarks>
internal sealed partial class BlockPool : IDisposable
{
    private readonly PoolCapacity _capacity;
    private readonly MemoryBudget? _budget;
    private readonly TrimScheduler? _scheduler;
    private readonly bool _useHugePages;
    private int _disposed;

    /// <param name="options">Of these, what concerns a pool.</param>
    /// <param name="guards">The guards of the pool, and its accounts.</param>
    /// <param name="budget">The budget that all that is held keeps to, if there is one.</param>
    public BlockPool(PixelAllocatorOptions options, GuardRegistry guards, MemoryBudget? budget)
    {
        Guards = guards;
        BlockBytes = options.BlockBytes;
        Source = options.BlockSource ?? BlockSource.System;
        Recovery = new OutOfMemoryRecovery(options.MemoryPressure, Accounts, options.Pause);
        _budget = budget;
        _useHugePages = options.UseHugePages;
        _capacity = new PoolCapacity(options);
        Depot = new Depot(Accounts, BlockBytes, budget, TryPutBack, Drop);
        Trimmer = new DepotTrimmer(Depot, Source, _capacity, Accounts, BlockBytes);
        Trimmer.Register();
        Held = new HeldMemory(budget, _capacity, Accounts, Trimmer.ReleaseIdleBytes);
        _scheduler = TrimScheduler.Start(Trimmer, Accounts.Listener, options);
        Depot.Caches.Scheduler = _scheduler;
    }

    /// <summary>Frees the idle blocks of a pool that was dropped without being disposed.</summary>
    ~BlockPool()
    {
        // Also runs when the constructor failed.
        if (Trimmer is not null)
        {
            Close();
        }
    }

    /// <summary>Bytes of one block.</summary>
    public readonly int BlockBytes;

    /// <summary>The most bytes that are held, rented and idle together: whole blocks.</summary>
    public long MaxPooledBytes => (long)_capacity.MaxBlocks * BlockBytes;

    /// <summary>Where blocks, and the memory of other tiers, come from.</summary>
    public readonly BlockSource Source;

    /// <summary>What is done when the system refuses memory.</summary>
    public readonly OutOfMemoryRecovery Recovery;

    /// <summary>All that is held, which keeps to the budget.</summary>
    public readonly HeldMemory Held;

    /// <summary>Gives idle blocks back to the system.</summary>
    public readonly DepotTrimmer Trimmer;

    /// <summary>Where its idle memory is.</summary>
    public readonly Depot Depot;

    /// <summary>Every guard of the pool.</summary>
    public readonly GuardRegistry Guards;

    /// <summary>What is counted.</summary>
    public MemoryAccounts Accounts => Guards.Accounts;

    /// <summary>Whether nobody should rent any more: callers look at it. A rent that has begun goes on, and what it gets goes back to the system when it is returned.</summary>
    public bool IsDisposed => Volatile.Read(ref _disposed) != 0;

    /// <summary>Gives all idle blocks back to the system. What is rented stays valid, and goes back to the system when it is returned. Idempotent.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            Close();
            GC.SuppressFinalize(this);
        }
    }

    /// <summary>Gives idle blocks back to the system until at most so many bytes stay idle.</summary>
    /// <param name="idleBytes">Bytes that may stay idle. Rounded down to whole blocks.</param>
    /// <returns>Bytes given back.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="idleBytes"/> is negative.</exception>
    public long TrimTo(long idleBytes)
    {
        Throw.IfNegative(idleBytes, nameof(idleBytes));
        long released = Trimmer.TrimTo(idleBytes, TrimReason.Request);
        GC.KeepAlive(this);
        return released;
    }

    // The finalizer does it again when an exception has left it.
    private void Close()
    {
        Volatile.Write(ref _disposed, 1);
        _scheduler?.Stop();
        Depot.Caches.Close();
        foreach (DepotStripe stripe in Depot.Stripes)
        {
            stripe.Close();
        }

        Trimmer.TrimTo(0, TrimReason.Disposal);
    }
}
