using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>An allocator that is used when managed memory runs out, and what has to be right of it afterwards.</summary>
internal sealed class WalkedAllocator : IDisposable
{
    public const int BlockBytes = TestSystem.BlockBytes;

    private readonly PixelAllocator _allocator;
    private long _leaks;

    /// <param name="configure">Changes the options: small blocks, nothing recorded.</param>
    public WalkedAllocator(Action<PixelAllocatorOptions>? configure = null)
    {
        var options = new PixelAllocatorOptions
        {
            BlockBytes = BlockBytes,
            SmallBufferThresholdBytes = TestSystem.SmallBytes,
            UnpooledBlockBytes = TestSystem.UnpooledBytes,
            MaxPooledBytes = 16 * BlockBytes,
            LeakTracking = LeakTracking.Off,
            TimeProvider = Time,
        };
        configure?.Invoke(options);
        _allocator = PixelAllocator.Create(options);
    }

    /// <summary>For walks that pin arrays: they lie on the heap of pinned objects.</summary>
    /// <remarks>
    /// Behind a pinned object at the end of a full segment, the collector of segments (<see cref="FullHeap.Environment"/>) has no room for the start of the youngest generation,
    /// and ends the process with a segmentation fault.
    /// </remarks>
    public static void UsePinnedHeap(PixelAllocatorOptions options) => options.ArrayPool = new RecyclingArrayPool();

    public PixelAllocator Allocator => _allocator;

    /// <summary>Its clock, which stands still: no timer fires where the runtime itself has no memory for that.</summary>
    public StillTime Time { get; } = new();

    public void Dispose() => _allocator.Dispose();

    /// <summary>Nothing is held, nothing was forgotten, nobody waits, and rents work.</summary>
    /// <param name="leaks">The most that may have been forgotten since the last check.</param>
    public void Check(int leaks = 0)
    {
        if (leaks != 0 && !IsEmpty)
        {
            Collector.CollectAll();
        }

        long found = _allocator.GetStatistics().LeakedCount;
        Assert.InRange(found, _leaks, _leaks + leaks);
        _leaks = found;
        CheckEmpty();
        using (PixelBuffer<byte> small = _allocator.Rent<byte>(16, 16))
        using (PixelBuffer<byte> block = _allocator.Rent<byte>(256, 200))
        {
            small.ProcessPixelRows(static rows => rows.GetRowSpan(0).Fill(1));
            block.ProcessPixelRows(static rows => rows.GetRowSpan(0).Fill(1));
        }

        CheckEmpty();
    }

    /// <summary>The same after what may have been refused: memory for which no handle could be made is found by its finalizer.</summary>
    public void Check(bool refused) => Check(leaks: refused ? 1 : 0);

    private bool IsEmpty => _allocator.GetStatistics() is { RentedBytes: 0, ChargedBytes: 0, ExternalBytes: 0 };

    private void CheckEmpty()
    {
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        Assert.Equal((0, 0, 0, 0), (statistics.RentedBytes, statistics.ChargedBytes, statistics.ExternalBytes, statistics.WaitingRents));
        Assert.Equal(statistics.AllocatedBytes - statistics.ReleasedBytes, statistics.IdleBytes);
        Assert.Empty(_allocator.GetOutstandingRents());
    }
}
