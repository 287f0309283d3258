using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Pooling;
using PixelPool.Trimming;

namespace PixelPool;

/// <summary>
/// A pool of uniform unmanaged blocks (4 MiB unless configured otherwise), rented any number at a time, all or nothing.
/// </summary>
/// <remarks>
/// <para>
/// The heart of <see cref="PixelAllocator"/>, usable alone by those who want bare blocks. Idle blocks lie in a depot that is striped by
/// processor: each stripe has its own lock, a stack of blocks, and counters, so that threads rent and return without writing to a shared cache
/// line. A stripe that is empty takes from its neighbours before anything is asked of the system; what is got from the system counts against
/// <see cref="MaxPooledBytes"/>, rented or idle. Nothing is mapped, unmapped or cleared while a lock is held.
/// </para>
/// <para>
/// Idle blocks go back to the system by <see cref="PixelAllocatorOptions.TrimPolicy"/>, all of them when memory is short, and when the pool is
/// disposed. A pool that is dropped instead is finalized: its idle blocks are freed. Blocks that are rented at that time stay valid; those
/// rented by <see cref="TryRent"/> can be returned to a disposed pool, and are lost with a dropped one.
/// </para>
/// <para>All members are thread-safe.</para>
/// </remarks>
public sealed partial class UniformUnmanagedMemoryPool : IDisposable
{
    private readonly DepotStripe[] _stripes;
    private readonly BlockSource _source;
    private readonly TrimScheduler? _scheduler;
    private readonly RentedBlockRegister _register = new();
    private readonly bool _useHugePages;
    private int _allocatedBlocks;
    private int _disposed;

    /// <summary>Creates a pool. It takes nothing from the system before the first rent.</summary>
    /// <param name="options">
    /// Of these, the block size, the capacity, trimming, pressure, time, huge pages and clearing concern a pool; null for the defaults.
    /// They are copied: later changes have no effect.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">An option is outside of its range.</exception>
    public UniformUnmanagedMemoryPool(PixelAllocatorOptions? options = null)
        : this(options?.Validated() ?? new PixelAllocatorOptions(), options?.Name ?? nameof(PixelPool))
    {
    }

    internal UniformUnmanagedMemoryPool(PixelAllocatorOptions options, string name, PixelAllocator? allocator = null)
    {
        Name = name;
        Allocator = allocator;
        BlockBytes = options.BlockBytes;
        ClearOnReturn = options.ClearOnReturn;
        _maxBlocks = PoolCapacity.InBlocks(options);
        _budgetBytes = allocator is null ? long.MaxValue : options.MaxRentedBytes ?? long.MaxValue;
        _capacitySource = PoolCapacity.IsVariable(options) ? options.MemoryPressure : null;
        _source = options.BlockSource ?? BlockSource.System;
        Recovery = new OutOfMemoryRecovery(options.MemoryPressure, options.Pause);
        _useHugePages = options.UseHugePages;
        Tracking = new RentTracking(this, options);
        _stripes = new DepotStripe[StripeCount()];
        for (int i = 0; i < _stripes.Length; i++)
        {
            _stripes[i] = new DepotStripe(Tracking);
        }

        _scheduler = TrimScheduler.Start(this, options);
        PoolRegistry.Add(this);
    }

    /// <summary>Frees the idle blocks of a pool that was dropped without being disposed.</summary>
    ~UniformUnmanagedMemoryPool()
    {
        // Also runs when the constructor failed.
        if (_stripes is not null)
        {
            Close();
        }
    }

    /// <summary>Bytes of one block.</summary>
    public int BlockBytes { get; }

    /// <summary>What reports, events and metrics call it: the allocator's name.</summary>
    internal string Name { get; }

    /// <summary>
    /// Whose pool it is, or null. What is rented holds the pool, so the allocator lives as long as anything of it: its reports and metrics are complete.
    /// </summary>
    internal PixelAllocator? Allocator { get; }

    internal bool ClearOnReturn { get; }

    /// <summary>What is done when the system refuses memory.</summary>
    internal OutOfMemoryRecovery Recovery { get; }

    /// <summary>Every guard of the pool.</summary>
    internal GuardRegistry Guards { get; } = new();

    /// <summary>What is remembered of rents.</summary>
    internal RentTracking Tracking { get; }

    internal bool IsDisposed => Volatile.Read(ref _disposed) != 0;

    /// <summary>
    /// Gives all idle blocks back to the system. Blocks that are rented stay valid; they go back to the system when they are returned.
    /// Idempotent.
    /// </summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            Close();
            PoolRegistry.Remove(this);
            GC.SuppressFinalize(this);
        }
    }

    /// <summary>Every stripe looks at the next rent, and asks then how many it leaves out.</summary>
    internal void LookAtNextRents()
    {
        foreach (DepotStripe stripe in _stripes)
        {
            stripe.LookAtNextRent();
        }
    }

    // Everything returned after a stripe was closed goes to the system, so taking what is idle afterwards takes the last of it.
    private void Close()
    {
        Volatile.Write(ref _disposed, 1);
        _scheduler?.Stop();
        foreach (DepotStripe stripe in _stripes)
        {
            foreach (LifetimeGuard? guard in stripe.Close())
            {
                guard!.Retire();
            }
        }

        TrimTo(0, TrimReason.Disposal);
    }

    private DepotStripe CurrentStripe => _stripes[CurrentStripeIndex];

    private DepotStripe StripeAt(int index) => _stripes[index & (_stripes.Length - 1)];

    private int CurrentStripeIndex =>
#if NET
        Thread.GetCurrentProcessorId() & (_stripes.Length - 1);
#else
        Environment.CurrentManagedThreadId & (_stripes.Length - 1);
#endif

    // A power of two, so that the index is a mask. More than 64 would only make statistics and stealing longer.
    private static int StripeCount()
    {
        int count = 1;
        while (count < Environment.ProcessorCount && count < 64)
        {
            count *= 2;
        }

        return count;
    }

    private void ThrowIfDisposed()
    {
        if (IsDisposed)
        {
            Throw.Disposed(nameof(UniformUnmanagedMemoryPool));
        }
    }
}
