using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>The application's pool of arrays gives what it must not: nobody writes behind its end.</summary>
public class BrokenArrayPoolTests
{
    private const int Budget = 100_000;

    /// <param name="missing">Bytes that are missing, or no array.</param>
    [Theory]
    [InlineData(1)]
    [InlineData(1000)]
    [InlineData(null)]
    public void Array_that_is_too_short_is_refused_and_takes_nothing(int? missing)
    {
        var pool = new BrokenArrayPool(missing);
        using PixelAllocator allocator = Create(pool);
        PixelPoolStatistics before = allocator.GetStatistics();
        for (int i = 0; i < 3; i++)
        {
            var exception = Assert.Throws<InvalidMemoryOperationException>(() => allocator.Rent<byte>(1000, 1));
            Assert.Contains("asked for 1000 bytes", exception.Message, StringComparison.Ordinal);
            Assert.Contains(missing is null ? "null" : $"an array of {1000 - missing}", exception.Message, StringComparison.Ordinal);
            Assert.Throws<InvalidMemoryOperationException>(() => allocator.TryRent<byte>(1000, 1, out _));
            Assert.Throws<InvalidMemoryOperationException>(() => allocator.Lease<byte>(1000, 1));
            Assert.Throws<InvalidMemoryOperationException>(() => allocator.Allocate<byte>(1000));
            Assert.Equal(0, pool.Returned);
            Assert.Equal(before, allocator.GetStatistics());
        }

        // Nothing of the budget is gone, and no guard: what is forgotten would be told.
        Assert.Empty(allocator.GetOutstandingRents());
        pool.Works = 1;
        using PixelBuffer<byte> image = allocator.Rent<byte>(Budget - 1000, 1);
        image.Fill(1);
        Collector.CollectAll();
        Assert.Equal(0, allocator.GetStatistics().LeakedCount);
    }

    [Fact]
    public void Wait_for_an_array_ends_with_the_error_too()
    {
        var pool = new BrokenArrayPool(1) { Works = 1 };
        using PixelAllocator allocator = Create(pool);
        PixelBuffer<byte> image = allocator.Rent<byte>(Budget - 1000, 1);
        pool.Works = 1;
        ValueTask<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(Budget - 1000, 1);
        Assert.False(waiting.IsCompleted);
        image.Dispose();
        Task<PixelBuffer<byte>> task = waiting.AsTask();
        Assert.True(((IAsyncResult)task).AsyncWaitHandle.WaitOne(TimeSpan.FromSeconds(30)));
        Assert.IsType<InvalidMemoryOperationException>(task.Exception!.InnerException);
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    private static PixelAllocator Create(BrokenArrayPool pool) => PixelAllocator.Create(new PixelAllocatorOptions { ArrayPool = pool, MaxRentedBytes = Budget });
}
