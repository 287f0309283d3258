using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Stress;

/// <summary>
/// Small images in a budget of two blocks, which their slabs fill: requests wait for pieces and for blocks, while the pages of slabs go back and threads are interrupted at any moment.
/// Nobody gets a piece that somebody else has, and no piece, charge or place in line is lost.
/// </summary>
[Trait("Category", "Long")]
public class InterruptedPiecesTests
{
    private const int Threads = 5;
    private const int Block = TestSystem.BlockBytes;
    private const int Budget = 2;
    private const int Side = 64;
    private const double DefaultSeconds = 1.5;

    /// <summary>The time limit of a wait in milliseconds.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    public void No_piece_is_lost_or_has_two_owners(int timeout)
    {
        using var system = new TestSystem();
        int seed = StressTime.Seed();
        Random[] randoms = [.. Enumerable.Range(0, Threads).Select(thread => new Random(seed + thread))];
        using PixelAllocator allocator = system.CreateAllocator(configure: options =>
        {
            options.TimeProvider = TimeProvider.System;
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.MaxRentedBytes = Budget * Block;
            options.RentTimeout = TimeSpan.FromMilliseconds(timeout);
        });
        int shared = 0;
        long rents = 0;
        long interrupts = InterruptedThreads.Run(Threads, StressTime.Of(DefaultSeconds), thread =>
        {
            var held = new List<PixelBuffer<byte>>();
            try
            {
                One(allocator, randoms[thread], held);
                Interlocked.Add(ref rents, held.Count);
            }
            catch (Exception e) when (e is PixelBudgetExceededException or OperationCanceledException)
            {
                // The sums at the end say whether anything was taken.
            }
            finally
            {
                foreach (PixelBuffer<byte> image in held)
                {
                    if (!IsStill(image, (byte)(thread + 1)))
                    {
                        Interlocked.Increment(ref shared);
                    }

                    image.Dispose();
                }
            }
        });
        TestContext.Current.TestOutputHelper?.WriteLine($"{rents} rents, {interrupts} interrupts");
        Assert.Equal(0, shared);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L), (statistics.RentedBytes, statistics.WaitingRents));
        Assert.True(allocator.RentAsync<byte>(Block, Budget).AsTask().ContinueWith(static rent => rent.Result.Dispose(), TaskScheduler.Default).Wait(TimeSpan.FromMinutes(1)));
        Assert.True(allocator.RentAsync<byte>(Side, Side).AsTask().ContinueWith(static rent => rent.Result.Dispose(), TaskScheduler.Default).Wait(TimeSpan.FromMinutes(1)));
        allocator.Trim();
        Assert.Equal((0L, 0L), (allocator.GetStatistics().IdleBytes, allocator.GetStatistics().ChargedBytes));

        void One(PixelAllocator from, Random random, List<PixelBuffer<byte>> held)
        {
            byte mark = (byte)(Array.IndexOf(randoms, random) + 1);
            switch (random.Next(6))
            {
                case 0:
                    from.Trim();
                    break;

                case 1:
                    Mark(from.Rent<byte>(Block, random.Next(1, Budget + 1)));
                    break;

                case 2:
                    using (var cancellation = new CancellationTokenSource())
                    {
                        Task<PixelBuffer<byte>> rent = from.RentAsync<byte>(Side, random.Next(1, Side), cancellationToken: cancellation.Token).AsTask();
                        InterruptedThreads.Persist(cancellation.Cancel);
                        InterruptedThreads.Persist(() => Task.WaitAny(rent));
                        if (rent.IsCompletedSuccessfully)
                        {
                            Mark(rent.Result);
                        }
                    }

                    break;

                case 3:
                    using (RentScope scope = from.CreateScope(Block))
                    {
                        scope.Rent<byte>(Side, random.Next(1, Side)).Fill(mark);
                    }

                    break;

                default:
                    for (int count = random.Next(1, 20); count > 0; count--)
                    {
                        Mark(from.Rent<byte>(Side, random.Next(1, Side)));
                    }

                    break;
            }

            void Mark(PixelBuffer<byte> image)
            {
                held.Add(image);
                image.Fill(mark);
            }
        }
    }

    private static bool IsStill(PixelBuffer<byte> image, byte mark)
    {
        bool isStill = true;
        image.ProcessPixelRows(rows =>
        {
            foreach (Span<byte> row in rows)
            {
                isStill &= row.IndexOfAnyExcept(mark) < 0;
            }
        });
        return isStill;
    }
}
