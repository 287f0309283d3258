namespace PixelPool.Tests.Allocations;

/// <summary>What bands on several threads cost the garbage collector: the loop's own objects, bounded by the threads and not by the image.</summary>
public sealed class ParallelAllocationTests
{
    /// <summary>The loop of the base library: some objects of its own and some per thread.</summary>
    private const int LoopBytes = 2048;
    private const int ThreadBytes = 1024;

    [Theory]
    [InlineData(1, 1, false)]
    [InlineData(1, 4, false)]
    [InlineData(16, 1, false)]
    [InlineData(16, 2, false)]
    [InlineData(16, 4, false)]
    [InlineData(1, 4, true)]
    [InlineData(16, 2, true)]
    public void Bands_allocate_a_bounded_amount(int blocks, int threads, bool filters)
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using PixelBuffer<uint> image = allocator.Rent<uint>(1024, 1024 * blocks);
        using PixelBuffer<uint> source = allocator.Rent<uint>(1, 1);

        // Of all threads, so whatever else the process does is in it: the cheapest of many batches is the price.
        const int Batches = 50;
        const int Calls = 20;
        long cheapest = long.MaxValue;
        for (int batch = 0; batch < Batches; batch++)
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            Process(image, filters ? source : null, threads, Calls);
            cheapest = Math.Min(cheapest, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        Assert.InRange(cheapest / Calls, 1, LoopBytes + (threads * ThreadBytes));
    }

    private static void Process(PixelBuffer<uint> image, PixelBuffer<uint>? source, int threads, int calls)
    {
        for (int i = 0; i < calls; i++)
        {
            if (source is null)
            {
                image.ProcessPixelRowsInParallel(static band => band.GetRowSpan(0)[0] = 1, threads);
            }
            else
            {
                image.FilterPixelRowsInParallel(source, static (band, source) => band.GetRowSpan(0)[0] = source.GetRowSpan(0)[0], threads);
            }
        }
    }
}
