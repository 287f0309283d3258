using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Application;

/// <summary>Of several rents that end together each is returned, whatever the return of another one throws.</summary>
public sealed class ThrowingReturnTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    // So that also blocks of a stream are arrays, one each.
    private readonly TestSystem _system = new(divisible: true);
    private readonly PixelAllocator _allocator;
    private bool _throws;

    public ThrowingReturnTests() => _allocator = _system.CreateAllocator(configure: options =>
    {
        options.ArrayPool = new ThrowingArrayPool(this);
        options.SmallBufferThresholdBytes = Block;
        options.MaxRentedBytes = 64 * Block;
    });

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void Images_of_a_group() => ThrowsAndReturnsAll(() =>
    {
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 4).Select(_ => _allocator.Rent<byte>(100, 10))];
        images[0].ProcessPixelRows(images.AsSpan(1), (_, _) => EndAll(images));
    });

    [Fact]
    public void Images_of_a_group_on_several_threads() => ThrowsAndReturnsAll(() =>
    {
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 4).Select(_ => _allocator.Rent<byte>(100, 1))];
        images[0].ProcessPixelRowsInParallel(images.AsSpan(1), (_, _) => EndAll(images), maxDegreeOfParallelism: 1);
    });

    [Fact]
    public void Pieces_of_a_stream() => ThrowsAndReturnsAll(() =>
    {
        var stream = new PixelPoolStream(_allocator);
        for (int blocks = 1; blocks <= 5; blocks++)
        {
            stream.SetLength(blocks * Block);
        }

        _throws = true;
        stream.Dispose();
    });

    [Fact]
    public void Memory_that_a_stream_lends_behind_a_small_piece() => ThrowsAndReturnsAll(() =>
    {
        using var stream = new PixelPoolStream(_allocator);
        stream.Write(new byte[1000], 0, 1000);
        _throws = true;
        try
        {
            stream.GetMemory(3 * Block);
        }
        finally
        {
            _throws = false;
        }
    });

    [Fact]
    public void Leases_and_images_of_a_scope() => ThrowsAndReturnsAll(() =>
    {
        RentScope scope = _allocator.ReserveScope(10 * Block);
        for (int i = 0; i < 3; i++)
        {
            scope.Rent<byte>(1000, 1);
            scope.Lease<byte>(1000, 1);
        }

        _throws = true;
        scope.Dispose();
    });

    private void EndAll(PixelBuffer<byte>[] images)
    {
        Array.ForEach(images, static image => image.Dispose());
        _throws = true;
    }

    private void ThrowsAndReturnsAll(Action action)
    {
        Exception? failure = Record.Exception(action);
        _throws = false;
        Assert.True(failure is ApplicationFaultException or AggregateException { InnerException: ApplicationFaultException }, $"{failure}");
        Assert.Equal((0, 0, 0), (_allocator.GetStatistics().RentedBytes, _allocator.GetStatistics().ChargedBytes, _allocator.GetOutstandingRents().Count));
    }

    private sealed class ThrowingArrayPool(ThrowingReturnTests test) : ArrayPool<byte>
    {
        public override byte[] Rent(int minimumLength) => new byte[minimumLength];

        public override void Return(byte[] array, bool clearArray = false)
        {
            if (test._throws)
            {
                throw new ApplicationFaultException("ArrayPool.Return");
            }
        }
    }
}
