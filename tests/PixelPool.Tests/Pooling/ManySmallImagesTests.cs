using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

/// <summary>By default small images are arrays; when more live at once than the shared pool of arrays keeps, they are pieces of blocks.</summary>
public sealed class ManySmallImagesTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private static readonly int s_many = Math.Max(256, 32 * Environment.ProcessorCount);

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Few_are_arrays_and_those_beyond_are_pieces()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        PixelLease<byte>[] few = Rent(allocator, s_many);
        Assert.Equal(0, _system.Source.LiveBytes);
        PixelLease<byte>[] beyond = Rent(allocator, 100);
        Assert.InRange(_system.Source.LiveBytes, Block, 2 * Block);
        StatisticsAssert.Balanced(allocator.GetStatistics());
        AssertDistinct(few, beyond);
        Array.ForEach(few, static lease => lease.Dispose());
        Array.ForEach(beyond, static lease => lease.Dispose());
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        allocator.Trim();
        Assert.Equal(0, _system.Source.LiveBytes);
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
    }

    [Fact]
    public void After_a_trim_they_are_arrays_again()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        Array.ForEach(Rent(allocator, 2 * s_many), static lease => lease.Dispose());
        allocator.Trim();
        using PixelLease<byte> lease = allocator.Lease<byte>(1000, 1);
        Assert.Equal(0, _system.Source.LiveBytes);
    }

    [Fact]
    public void In_a_full_pool_they_stay_arrays()
    {
        using PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: 1);
        using PixelBuffer<byte> block = allocator.Rent<byte>(Block, 20);
        PixelLease<byte>[] many = Rent(allocator, 2 * s_many);
        Assert.Equal(2 * s_many, allocator.GetStatistics().SmallRents);
        Array.ForEach(many, static lease => lease.Dispose());
    }

    [Fact]
    public void An_ArrayPool_of_the_application_serves_all()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.ArrayPool = ArrayPool<byte>.Create());
        AssertAllArrays(allocator);
    }

    [Fact]
    public void With_a_budget_all_are_arrays()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 1 << 30);
        AssertAllArrays(allocator);
    }

    private void AssertAllArrays(PixelAllocator allocator)
    {
        PixelLease<byte>[] many = Rent(allocator, 2 * s_many);
        Assert.Equal(0, _system.Source.LiveBytes);
        Array.ForEach(many, static lease => lease.Dispose());
    }

    private static PixelLease<byte>[] Rent(PixelAllocator allocator, int count) => [.. Enumerable.Range(0, count).Select(_ => allocator.Lease<byte>(1000, 1))];

    private static void AssertDistinct(params PixelLease<byte>[][] leases)
    {
        PixelLease<byte>[] all = [.. leases.SelectMany(static some => some)];
        for (int i = 0; i < all.Length; i++)
        {
            all[i][0, 0] = (byte)i;
            all[i][999, 0] = (byte)(i >> 8);
        }

        for (int i = 0; i < all.Length; i++)
        {
            Assert.Equal(((byte)i, (byte)(i >> 8)), (all[i][0, 0], all[i][999, 0]));
        }
    }
}
