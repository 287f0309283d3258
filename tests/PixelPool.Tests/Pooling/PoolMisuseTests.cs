using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

public sealed class PoolMisuseTests : IDisposable
{
    private readonly TestSystem _system = new();
    private readonly UniformUnmanagedMemoryPool _pool;

    public PoolMisuseTests() => _pool = _system.CreatePool();

    public void Dispose()
    {
        _pool.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void Second_return_throws()
    {
        nint[] blocks = _pool.MakeIdle(3);
        AssertRefused(rented: 0, idle: 3, blocks[0]);
        AssertRefused(rented: 0, idle: 3, blocks);
    }

    [Fact]
    public void Return_of_a_block_of_another_pool_throws()
    {
        using UniformUnmanagedMemoryPool other = _system.CreatePool();
        nint foreign = other.Rent(1)[0];
        AssertRefused(rented: 0, idle: 0, foreign);
        other.Return([foreign]);
    }

    [Fact]
    public void Return_of_addresses_nobody_rented_throws()
    {
        nint block = _pool.Rent(1)[0];
        AssertRefused(rented: 1, idle: 0, 0);
        AssertRefused(rented: 1, idle: 0, block + 1);
        AssertRefused(rented: 1, idle: 0, block + 4096);
        AssertRefused(rented: 1, idle: 0, block - TestSystem.BlockBytes);
        _pool.Return([block]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4)]
    public void One_wrong_address_among_good_ones_returns_none(int place)
    {
        nint[] good = _pool.Rent(4);
        List<nint> addresses = [.. good];
        addresses.Insert(place, 4096);
        AssertRefused(rented: 4, idle: 0, [.. addresses]);
        _pool.Return(good);
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 4);
    }

    [Fact]
    public void Block_named_twice_in_one_return_returns_none()
    {
        nint[] blocks = _pool.Rent(3);
        AssertRefused(rented: 3, idle: 0, blocks[0], blocks[1], blocks[0]);
        _pool.Return(blocks);
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 3);
        Assert.Equal(3, _pool.Rent(3).Distinct().Count());
    }

    [Fact]
    public void Return_of_a_block_that_a_guarded_rent_holds_throws()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using PixelBuffer<byte> image = allocator.Rent<byte>(TestSystem.BlockBytes, 1);
        nint address;
        unsafe
        {
            using PinnedPixels pinned = image.Pin();
            address = (nint)pinned.Pointer;
        }

        AssertRefused(rented: 0, idle: 0, address);
    }

    [Fact]
    public void Second_return_after_the_block_went_back_to_the_system_throws()
    {
        nint[] blocks = _pool.MakeIdle(1);
        _pool.Trim();
        AssertRefused(rented: 0, idle: 0, blocks);
    }

    [Fact]
    public void Only_one_of_many_threads_can_return_a_block()
    {
        for (int round = 0; round < 200; round++)
        {
            nint[] block = _pool.Rent(1);
            int returned = 0;
            int refused = 0;
            Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, _ =>
            {
                try
                {
                    _pool.Return(block);
                    Interlocked.Increment(ref returned);
                }
                catch (InvalidMemoryOperationException)
                {
                    Interlocked.Increment(ref refused);
                }
            });
            Assert.Equal((1, 3), (returned, refused));
        }

        StatisticsAssert.Blocks(_pool, rented: 0, idle: 1);
    }

    [Fact]
    public void Trimming_to_a_negative_size_throws()
    {
        _pool.MakeIdle(2);
        Assert.Equal("idleBytes", Assert.Throws<ArgumentOutOfRangeException>(() => _pool.TrimTo(-1)).ParamName);
        Assert.Throws<ArgumentOutOfRangeException>(() => _pool.TrimTo(long.MinValue));
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 2);
    }

    private void AssertRefused(int rented, int idle, params nint[] blocks)
    {
        PixelPoolStatistics before = StatisticsAssert.Blocks(_pool, rented, idle);
        var exception = Assert.Throws<InvalidMemoryOperationException>(() => _pool.Return(blocks));
        Assert.Contains("Nothing was returned", exception.Message, StringComparison.Ordinal);
        Assert.Equal(before, _pool.GetStatistics());
    }
}
