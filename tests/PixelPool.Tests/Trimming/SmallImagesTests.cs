using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Trimming;

/// <summary>What small images leave idle goes as soon as what large ones leave: pieces that threads keep hold whole blocks.</summary>
public sealed class SmallImagesTests : IDisposable
{
    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Their_blocks_go_within_35_seconds()
    {
        using PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: 1000, static options =>
        {
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.SmallBufferThresholdBytes = TestSystem.BlockBytes / 2;
            options.TrimPolicy = TrimPolicy.Demand;
        });

        // Also a thread that keeps pieces of all sizes.
        for (int round = 0; round < 50; round++)
        {
            using var scope = new RentScope(allocator);
            for (int bytes = 100; bytes < 32_000; bytes += 300)
            {
                scope.Rent<byte>(1, bytes);
            }
        }

        Assert.NotEqual(0, allocator.GetStatistics().IdleBytes);
        _system.Time.Advance(TimeSpan.FromSeconds(25));
        Assert.NotEqual(0, allocator.GetStatistics().IdleBytes);
        _system.Time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void What_comes_back_at_the_end_of_a_period_stays()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.TrimPolicy = TrimPolicy.Demand);
        PixelBuffer<byte>[] held = [.. Enumerable.Range(0, 10).Select(_ => allocator.Rent<byte>(TestSystem.BlockBytes, 1))];
        for (int i = 0; i < 1000; i++)
        {
            // In the end the thread keeps the block.
            allocator.Lease<byte>(TestSystem.BlockBytes, 1).Dispose();
        }

        _system.Source.OnFree = _ => Array.ForEach(held, static image => image.Dispose());
        _system.Time.Advance(TimeSpan.FromSeconds(40));
        _system.Source.OnFree = null;
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((TestSystem.BlockBytes, 10L * TestSystem.BlockBytes), (statistics.TrimmedBytes, statistics.IdleBytes));
    }
}
