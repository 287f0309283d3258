using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Lifetime;
using PixelPool.Tests.Stress;

namespace PixelPool.Tests.Accessors;

/// <summary>
/// A caller of a filter in parallel that is interrupted before other threads have references of their own: both images are released once, and what is rented afterwards is written by nobody.
/// </summary>
public class InterruptedFilterTests
{
    private const int Threads = 3;
    private const int Size = 100;
    private const double DefaultSeconds = 0.7;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    [Fact]
    public void Threads_that_have_not_begun_hold_nothing_and_begin_nothing() => ChildProcess.Run(InterruptBeforeOthersBegin);

    private static void InterruptBeforeOthersBegin()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        PixelBuffer<uint> source = allocator.Rent<uint>(Size, Size);
        PixelBuffer<uint> target = allocator.Rent<uint>(Size, Size);
        source.Fill(7);
        nint[] addresses = [Rental.AddressOf(source), Rental.AddressOf(target)];
        PixelBuffer<uint>[] later = [];
        int rows = 0;
        int wrong = 0;
        StarvedThreadPool.WhileAllAreBlocked(() =>
        {
            // This thread does all that can be done, and then has to wait for one that cannot begin.
            Thread.CurrentThread.Interrupt();
            Assert.Throws<ThreadInterruptedException>(() => target.FilterPixelRowsInParallel(
                source,
                (band, read) =>
                {
                    Interlocked.Add(ref rows, band.Height);
                    Copy(band, read, 7, ref wrong);
                },
                maxDegreeOfParallelism: 2));
            source.Dispose();
            target.Dispose();
            Assert.Equal((Size, 0L), (rows, allocator.GetStatistics().RentedBytes));
            later = [allocator.Rent<uint>(Size, Size), allocator.Rent<uint>(Size, Size)];
            Assert.Equal(addresses.Order(), later.Select(Rental.AddressOf).Order());
            Array.ForEach(later, static image => image.Fill(8));
        });

        // Once more all of its threads come here: what waited in the queue is done.
        StarvedThreadPool.WhileAllAreBlocked(static () => { });
        Assert.Equal((Size, 0), (rows, wrong));
        foreach (PixelBuffer<uint> image in later)
        {
            Assert.Equal(0, CountOthers(image, 8));
            image.Dispose();
        }

        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((0L, 0L), (statistics.RentedBytes, statistics.SecondReturns));
    }

    [Fact]
    [Trait("Category", "Long")]
    public void Bands_that_begin_while_the_caller_leaves_write_to_no_later_rent()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        int last = 0;
        int wrong = 0;
        int complete = 0;
        long interrupts = InterruptedThreads.Run(Threads, StressTime.Of(DefaultSeconds), _ =>
        {
            uint value = (uint)Interlocked.Increment(ref last);
            using PixelBuffer<uint> source = allocator.Rent<uint>(Size, Size);
            using PixelBuffer<uint> target = allocator.Rent<uint>(Size, Size);
            source.Fill(value);
            target.Fill(value);
            Thread.Yield();
            Interlocked.Add(ref wrong, CountOthers(target, value));
            if (TryFilter(target, source, (band, read) => Copy(band, read, value, ref wrong)))
            {
                Interlocked.Add(ref wrong, CountOthers(target, value));
                Interlocked.Increment(ref complete);
            }
        });
        TestContext.Current.TestOutputHelper?.WriteLine($"{complete} of {last} filters, {interrupts} interrupts");
        Assert.True(SpinWait.SpinUntil(() => allocator.GetStatistics().RentedBytes == 0, s_limit), "a band has not released its images");
        Assert.Equal(0, wrong);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((0L, 0L), (statistics.LeakedCount, statistics.SecondReturns));
    }

    // False: interrupted, also where the library of tasks was to queue something.
    private static bool TryFilter(PixelBuffer<uint> target, PixelBuffer<uint> source, PixelFilterAction<uint, uint> filter)
    {
        try
        {
            target.FilterPixelRowsInParallel(source, filter, maxDegreeOfParallelism: 4);
            return true;
        }
        catch (AggregateException e) when (e.ToString().Contains(nameof(ThreadInterruptedException), StringComparison.Ordinal))
        {
            return false;
        }
    }

    // Every pixel of the source has to be the value, as long as the band runs.
    private static void Copy(PixelAccessor<uint> band, ReadOnlyPixelAccessor<uint> source, uint value, ref int wrong)
    {
        for (int y = 0; y < band.Height; y++)
        {
            ReadOnlySpan<uint> row = source.GetRowSpan(band.FirstRow + y);
            Interlocked.Add(ref wrong, row.ContainsAnyExcept(value) ? 1 : 0);
            row.CopyTo(band.GetRowSpan(y));
        }
    }

    private static int CountOthers(PixelBuffer<uint> image, uint value)
    {
        int others = 0;
        image.ProcessPixelRows(rows =>
        {
            foreach (Span<uint> row in rows)
            {
                others += row.Length - row.Count(value);
            }
        });
        return others;
    }
}
