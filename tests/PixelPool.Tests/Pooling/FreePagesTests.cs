using PixelPool.Tests.Application;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

/// <summary>Pages of pieces that nobody uses go back by themselves, also when nothing else is idle: with time, and under pressure.</summary>
public sealed class FreePagesTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;
    private const int Piece = Block / 4;

    private static readonly TimeSpan s_tick = TimeSpan.FromSeconds(5);

    private readonly TestSystem _system = new();

    public FreePagesTests() => _system.Time.FireNewTimersAtOnce = false;

    private nint DiscardedBytes => _system.Source.Discarded.Aggregate((nint)0, static (sum, range) => sum + range.Bytes);

    public void Dispose() => _system.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void They_go_when_none_came_back_for_half_a_minute(bool hasBudget)
    {
        using PixelAllocator allocator = Create(hasBudget);
        PixelLease<byte>[] images = Rent(allocator, 4);
        images[1].Dispose();
        images[2].Dispose();
        Advance(3);
        Assert.Equal(0, DiscardedBytes);
        Advance(7);
        Assert.Equal(2 * Piece, DiscardedBytes);

        // Nothing is left to do.
        Advance(10);
        Assert.Equal(2 * Piece, DiscardedBytes);
        images[0].Dispose();
        Advance(10);
        Assert.Equal((2 + 3) * Piece, DiscardedBytes);
        images[3].Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Those_of_sizes_that_are_in_use_stay(bool halves)
    {
        using PixelAllocator allocator = Create(hasBudget: true, policy: halves ? TrimPolicy.Halving(s_tick, 0.1) : TrimPolicy.Demand);
        PixelLease<byte>[] images = Rent(allocator, 3);
        images[1].Dispose();
        for (int i = 0; i < 20; i++)
        {
            allocator.Lease<byte>(Piece, 1).Dispose();
            Advance(1);
        }

        Assert.Equal(0, DiscardedBytes);
        Advance(8);
        Assert.Equal(2 * Piece, DiscardedBytes);
        images[0].Dispose();
        images[2].Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void They_go_under_pressure_though_nothing_else_is_idle(bool hasBudget)
    {
        using PixelAllocator allocator = Create(hasBudget);
        PixelLease<byte>[] images = Rent(allocator, 4);
        images[1].Dispose();
        _system.Pressure.High = true;
        Advance(1);
        Assert.Equal(Piece, DiscardedBytes);

        // Later ones, too.
        images[2].Dispose();
        Advance(1);
        Assert.Equal(3 * Piece, DiscardedBytes);
        images[0].Dispose();
        images[3].Dispose();
    }

    /// <summary>The timer rests after a tick that came when the block had left the pool and was not cut yet. To this test it rests because it could not be started.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void They_go_from_a_block_that_was_cut_again_although_the_timer_rested(bool hasBudget)
    {
        using PixelAllocator allocator = Create(hasBudget, time: new FaultyTime(new ApplicationFault(failing: 1, "ITimer.Change"), _system.Time));
        allocator.Lease<byte>(Block, 1).Dispose();
        Assert.Equal(0, _system.Time.ActiveTimers);
        PixelLease<byte>[] images = Rent(allocator, 1);
        Assert.Equal((Block, 1), (allocator.GetStatistics().AllocatedBytes, _system.Time.ActiveTimers));
        Advance(10);
        Assert.Equal(3 * Piece, DiscardedBytes);
        Assert.Equal(0, _system.Time.ActiveTimers);
        images[0].Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_fresh_block_that_is_cut_starts_no_timer(bool hasBudget)
    {
        using PixelAllocator allocator = Create(hasBudget);
        PixelLease<byte>[] images = Rent(allocator, 1);
        Assert.Equal(0, _system.Time.ActiveTimers);
        images[0].Dispose();
        Assert.Equal(1, _system.Time.ActiveTimers);
    }

    /// <summary>Many slabs, all of them full: with room behind the last piece, or without.</summary>
    [Theory]
    [InlineData(Block / 2)]
    [InlineData(Block / 16 * 3)]
    public void A_pass_comes_to_each_slab_once(int bytes)
    {
        const int Slabs = 3000;
        using PixelAllocator allocator = Create(hasBudget: true, Slabs);
        PixelLease<byte>[] images = Rent(allocator, Slabs * (Block / bytes), bytes);
        allocator.Trim();
        Assert.Equal(bytes == Block / 2 ? 0 : Slabs, _system.Source.Discarded.Count);
        Array.ForEach(images, static image => image.Dispose());
        Assert.Equal((long)Slabs * Block, allocator.Trim());
    }

    private PixelAllocator Create(bool hasBudget, int capacity = 64, TrimPolicy? policy = null, TimeProvider? time = null) => _system.CreateAllocator(capacity, options =>
    {
        options.SmallBuffers = SmallBufferStrategy.Slab;
        options.SmallBufferThresholdBytes = Block / 2;
        options.MaxRentedBytes = hasBudget ? (long)capacity * Block : null;
        options.TrimPolicy = policy ?? TrimPolicy.Demand;
        options.TimeProvider = time ?? _system.Time;
    });

    private static PixelLease<byte>[] Rent(PixelAllocator allocator, int count, int bytes = Piece) => [.. Enumerable.Range(0, count).Select(_ => allocator.Lease<byte>(bytes, 1))];

    private void Advance(int ticks)
    {
        for (int i = 0; i < ticks; i++)
        {
            _system.Time.Advance(s_tick);
        }
    }
}
