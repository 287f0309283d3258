using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Accessors;

/// <summary>A caller that is interrupted leaves the parallel loop at once, while another thread still works on its band.</summary>
public class InterruptedParallelTests
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    /// <param name="isSource">Whether the band is one of another image, which is made from this one.</param>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_band_that_still_runs_holds_the_memory(bool isSource)
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
        using PixelBuffer<byte> target = allocator.Rent<byte>(10, 100);
        long written = isSource ? target.HeldBytes : 0;
        nint address = Rental.AddressOf(image);
        using var entered = new ManualResetEventSlim();
        using var proceed = new ManualResetEventSlim();
        using var done = new ManualResetEventSlim();
        Thread? caller = null;
        uint seen = 0;
        int ranAfterwards = 0;
        Exception? thrown = null;
        caller = new Thread(() => thrown = Record.Exception(() =>
        {
            if (isSource)
            {
                target.FilterPixelRowsInParallel(image, (_, source) => Read(source.GetRowSpan(0)), maxDegreeOfParallelism: 2);
            }
            else
            {
                image.ProcessPixelRowsInParallel(band => Read(band.GetRowSpan(0)), maxDegreeOfParallelism: 2);
            }
        }));
        image.Fill(7);
        caller.Start();
        Assert.True(entered.Wait(s_limit));
        while (!caller.Join(0))
        {
            caller.Interrupt();
            Thread.Yield();
        }

        Assert.Contains(nameof(ThreadInterruptedException), thrown?.ToString(), StringComparison.Ordinal);
        image.Dispose();
        target.Dispose();
        Assert.Equal(TestSystem.BlockBytes + written, allocator.GetStatistics().RentedBytes);
        using (PixelBuffer<uint> other = allocator.Rent<uint>(100, 100, AllocationOptions.Clean))
        {
            Assert.NotEqual(address, Rental.AddressOf(other));
            proceed.Set();
            Assert.True(done.Wait(s_limit));
            Assert.Equal(0u, other[5, 0]);
        }

        Assert.Equal(7u, seen);
        Assert.True(SpinWait.SpinUntil(() => allocator.GetStatistics().RentedBytes == 0, s_limit));
        Assert.Equal(0, ranAfterwards);
        StatisticsAssert.Balanced(allocator.GetStatistics());

        void Read(ReadOnlySpan<uint> row)
        {
            if (Thread.CurrentThread == caller)
            {
                // Its own bands are short; then it waits for the other thread's.
                Assert.True(entered.Wait(s_limit));
                return;
            }

            if (entered.IsSet)
            {
                ranAfterwards++;
                return;
            }

            entered.Set();
            proceed.Wait(s_limit);
            seen = row[5];
            done.Set();
        }
    }

    /// <summary>As one that begins after the interrupt has ended the caller's references.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_band_whose_references_have_ended_runs_nothing(int ended)
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        using PixelBuffer<uint> first = allocator.Rent<uint>(100, 100);
        using PixelBuffer<uint> second = allocator.Rent<uint>(100, 100);
        PixelBuffer<uint>[] images = [first, second];
        bool ran = false;
        using PixelReferences held = PixelReferences.Hold<PixelBuffer<uint>>(images);
        PixelLayout layout = held.References[0].Layout;
        RowBands.ProcessBand(held.References, in layout, 0, 2, (_, _) => ran = true);
        Assert.True(ran);
        ran = false;
        held.References[ended].Dispose();
        images[ended].Dispose();
        RowBands.ProcessBand(held.References, in layout, 1, 2, (_, _) => ran = true);
        Assert.False(ran);

        // What it has taken before that is released.
        held.References[1 - ended].Dispose();
        images[1 - ended].Dispose();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }
}
