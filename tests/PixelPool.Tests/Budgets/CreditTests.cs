using System.Collections.Concurrent;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>What comes back stays charged, with its stripe, for the next rent. Nobody sees a difference: not who asks how much is charged, and not who is refused.</summary>
public sealed class CreditTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;
    private const int Small = TestSystem.SmallBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void What_is_returned_pays_for_the_next_rent()
    {
        using PixelAllocator allocator = Create(budget: 4);
        allocator.Rent<byte>(Block, 2).Dispose();
        Assert.Equal((2L * Block, 0L), (allocator.GetChargedIdleBytes(), allocator.GetStatistics().ChargedBytes));
        using PixelBuffer<byte> image = RentOnTheSameStripe(allocator, 2);
        Assert.Equal((0L, 2L * Block), (allocator.GetChargedIdleBytes(), allocator.GetStatistics().ChargedBytes));
    }

    [Fact]
    public void Credit_of_blocks_is_used_by_whoever_else_needs_the_room()
    {
        using PixelAllocator allocator = Create(budget: 4);
        allocator.Rent<byte>(Block, 4).Dispose();
        Assert.Equal(4L * Block, allocator.GetChargedIdleBytes());
        using (ExternalCharge charge = allocator.ChargeExternal(4 * Block))
        {
            Assert.Equal((0L, 4L * Block, 0L), (allocator.GetChargedIdleBytes(), allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().IdleBytes));
            Assert.False(allocator.TryRent<byte>(Block, 1, out _));
        }

        allocator.Rent<byte>(Block, 4).Dispose();
        using RentScope scope = allocator.CreateScope(8 * Block);
        scope.Rent<byte>(Block, 4).Dispose();
        Assert.Equal((0L, 0L), (scope.ChargedBytes, allocator.GetStatistics().ChargedBytes));
        using RentScope reserved = allocator.ReserveScope(4 * Block);
        Assert.Equal(4L * Block, allocator.GetStatistics().ChargedBytes);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void All_that_is_held_keeps_to_the_budget_whoever_has_credit(bool blocksFirst)
    {
        using PixelAllocator allocator = Create(budget: 2);
        for (int round = 0; round < 3; round++)
        {
            foreach (bool blocks in new[] { blocksFirst, !blocksFirst })
            {
                using (RentScope scope = new(allocator))
                {
                    for (int i = 0; i < (blocks ? 2 : 2 * Block / Small); i++)
                    {
                        scope.Rent<byte>(blocks ? Block : Small, 1);
                        PixelPoolStatistics held = allocator.GetStatistics();
                        Assert.InRange(held.RentedBytes + held.IdleBytes, 0, 2L * Block);
                        Assert.InRange(held.ChargedBytes, held.RentedBytes, 2L * Block);
                    }
                }

                Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
                StatisticsAssert.Balanced(allocator.GetStatistics());
            }
        }
    }

    [Fact]
    public async Task While_somebody_waits_nothing_is_kept()
    {
        using PixelAllocator allocator = Create(budget: 4);
        PixelBuffer<byte> first = allocator.Rent<byte>(Block, 2);
        PixelBuffer<byte> second = allocator.Rent<byte>(Block, 2);
        Task<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(Block, 4, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        first.Dispose();
        Assert.Equal((0L, false), (allocator.GetChargedIdleBytes(), waiting.IsCompleted));
        second.Dispose();
        PixelBuffer<byte> all = await waiting;
        Assert.Equal(4L * Block, allocator.GetStatistics().ChargedBytes);
        all.Dispose();
        Assert.Equal((4L * Block, 0L), (allocator.GetChargedIdleBytes(), allocator.GetStatistics().ChargedBytes));
    }

    [Fact]
    public async Task Who_waits_gets_what_stripes_have_kept()
    {
        using PixelAllocator allocator = Create(budget: 4);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        allocator.Rent<byte>(Block, 2).Dispose();
        using ExternalCharge charge = allocator.ChargeExternal(1);
        Task<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(Block, 3, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.Equal((1L, 0L), (allocator.GetStatistics().WaitingRents, allocator.GetChargedIdleBytes()));
        charge.Dispose();
        (await waiting).Dispose();
        held.Dispose();
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public void What_goes_back_to_the_system_takes_its_charge_with_it()
    {
        using PixelAllocator allocator = Create(budget: 8);
        allocator.Rent<byte>(Block, 1).Dispose();
        allocator.Rent<byte>(Block, 4).Dispose();
        Assert.Equal(Idle(allocator), allocator.GetChargedIdleBytes());
        allocator.TrimTo(Block);
        Assert.Equal((1L * Block, 1L * Block), (Idle(allocator), allocator.GetChargedIdleBytes()));
        allocator.Trim();
        Assert.Equal((0L, 0L), (Idle(allocator), allocator.GetChargedIdleBytes()));
    }

    [Fact]
    public void Blocks_of_several_places_take_their_charge_with_them()
    {
        using PixelAllocator allocator = Create(budget: 8);
        PixelBuffer<byte> first = allocator.Rent<byte>(Block, 2);
        Simultaneously.Run(2, thread =>
        {
            // Another thread, and perhaps another processor.
            if (thread == 1)
            {
                allocator.Rent<byte>(Block, 2).Dispose();
            }
        });
        first.Dispose();
        for (int blocks = 3; blocks <= 6; blocks++)
        {
            using PixelBuffer<byte> image = allocator.Rent<byte>(Block, blocks, AllocationOptions.Contiguous);
            Assert.InRange(allocator.GetChargedIdleBytes(), 0, Idle(allocator));
        }

        using RentScope scope = allocator.CreateScope(8 * Block);
        scope.Rent<byte>(Block, 5);
        Assert.InRange(allocator.GetChargedIdleBytes(), 0, Idle(allocator));
    }

    /// <summary>Images go from thread to thread, so that credit gathers where nobody rents. All of them together always fit.</summary>
    [Theory]
    [InlineData(Block)]
    [InlineData(Small)]
    public void What_fits_is_never_refused(int bytes)
    {
        const int Threads = 4;
        const int Rounds = 20_000;
        using PixelAllocator allocator = CreateWithBudget(2 * Threads * bytes);
        var passed = new ConcurrentQueue<PixelBuffer<byte>>();
        long refusals = 0;
        Simultaneously.Run(Threads, thread =>
        {
            for (int i = 0; i < Rounds; i++)
            {
                // Each thread holds one and has put one into the queue at most.
                if (allocator.TryRent(bytes, 1, out PixelBuffer<byte>? image))
                {
                    passed.Enqueue(image);
                }
                else
                {
                    Interlocked.Increment(ref refusals);
                }

                if (passed.TryDequeue(out PixelBuffer<byte>? other))
                {
                    other.Dispose();
                }
            }
        });
        while (passed.TryDequeue(out PixelBuffer<byte>? rest))
        {
            rest.Dispose();
        }

        Assert.Equal(0, refusals);
        Assert.Equal((0L, 0L), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().RentedBytes));
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    [Fact]
    [Trait("Category", "Long")]
    public void What_is_charged_is_never_less_than_nothing_or_more_than_the_budget()
    {
        const int Blocks = 4;
        using PixelAllocator allocator = Create(Blocks);
        bool stop = false;
        Simultaneously.Run(4, thread =>
        {
            try
            {
                for (int i = 0; thread == 0 && i < 20_000; i++)
                {
                    Assert.InRange(allocator.GetStatistics().ChargedBytes, 0, Blocks * Block);
                }

                while (thread != 0 && !Volatile.Read(ref stop))
                {
                    if (allocator.TryRent(Block, 1, out PixelBuffer<byte>? image))
                    {
                        image.Dispose();
                    }

                    if (thread == 1)
                    {
                        // Takes all credit back, whether it fits or not.
                        if (allocator.TryRent(Block, Blocks, out image))
                        {
                            image.Dispose();
                        }
                    }
                }
            }
            finally
            {
                if (thread == 0)
                {
                    Volatile.Write(ref stop, true);
                }
            }
        });
    }

    private static long Idle(PixelAllocator allocator) => allocator.GetStatistics().IdleBytes;

    // The thread may move to another processor in between: then the stripe there has no credit, and the budget is charged.
    private static PixelBuffer<byte> RentOnTheSameStripe(PixelAllocator allocator, int blocks)
    {
        while (true)
        {
            PixelBuffer<byte> image = allocator.Rent<byte>(Block, blocks);
            if (allocator.GetChargedIdleBytes() == 0)
            {
                return image;
            }

            image.Dispose();
        }
    }

    private PixelAllocator Create(int budget) => CreateWithBudget(budget * Block);

    private PixelAllocator CreateWithBudget(int bytes) => _system.CreateAllocator(configure: options =>
    {
        options.MaxRentedBytes = bytes;
        options.ArrayPool = new RecyclingArrayPool(); // exactly as long as asked for
    });
}
