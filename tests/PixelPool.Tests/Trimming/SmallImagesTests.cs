using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Trimming;

/// <summary>What small images leave idle goes as soon as what large ones leave: pieces that threads keep hold whole blocks.</summary>
public sealed class SmallImagesTests : IDisposable
{
    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Their_blocks_go_within_40_seconds()
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
        _system.Time.Advance(TimeSpan.FromSeconds(15));
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        _system.Source.AssertAllFreed();
    }
}
