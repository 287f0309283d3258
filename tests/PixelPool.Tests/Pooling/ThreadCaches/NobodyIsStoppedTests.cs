using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>
/// No rent, return, miss or refusal stops another thread, where nothing that another one keeps is needed: the barrier by which that is done interrupts every processor. Counted in processes
/// of their own, because it is counted for all.
/// </summary>
public sealed class NobodyIsStoppedTests : ThreadCacheTest
{
    private const int Rounds = 1_000_000;
    private const int Misses = 2_000;

    /// <summary>Whether there is a budget, and whether small images are pieces of slabs.</summary>
    public static TheoryData<bool, bool> Allocators => new() { { false, false }, { false, true }, { true, false }, { true, true } };

    [Theory]
    [MemberData(nameof(Allocators))]
    [Trait("Category", "Long")]
    public void By_rents_returns_misses_and_refusals(bool hasBudget, bool cutsSlabs) =>
        ChildProcess.Run(CountBarriers, [hasBudget.ToString(), cutsSlabs.ToString()]);

    /// <summary>
    /// What a processor rents comes back on another one, again and again, far below the budget. Blocks are charged wherever they lie: if charges stayed behind, they would fill the budget, and
    /// then each rent would stop everybody to look for them.
    /// </summary>
    [Fact]
    public void By_images_that_go_from_processor_to_processor()
    {
        Assert.SkipUnless(ProcessorBinding.IsSupported, "needs two processors, and threads that can be bound to them");
        ChildProcess.Run(CountBarriersBetweenProcessors);
    }

    /// <summary>A thread may keep more than a hundred arrays, but it is stopped once for all of them: processors may be many, and each thread that waits for budget wants back what threads keep.</summary>
    [Fact]
    public void Again_and_again_where_a_thread_keeps_much() => ChildProcess.Run(CountBarriersOfTrim);

    private static void CountBarriersOfTrim()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 64 << 20, TrimPolicy = TrimPolicy.None });
        UseOften(allocator);
        PixelLease<byte>[] images = [.. Enumerable.Range(0, 64).Select(i => allocator.Lease<byte>(100 << (i / 8), 1))];
        Array.ForEach(images, static image => image.Dispose());
        Assert.InRange(allocator.GetStatistics().IdleBytes, 1, 4 << 20);
        long before = ProcessBarrier.Issued;
        allocator.Trim();
        Console.WriteLine($"{ProcessBarrier.Issued - before} barriers for {images.Length} images");
        Assert.InRange(ProcessBarrier.Issued - before, 1, 16);
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
    }

    private static void CountBarriersBetweenProcessors()
    {
        const int Images = 16;
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = Block,
            MaxPooledBytes = 64 * Block,
            MaxRentedBytes = 64 * Block,
            SmallBuffers = SmallBufferStrategy.Slab,
            TrimPolicy = TrimPolicy.None,
        });
        Use(allocator, Block, 1);
        var images = new PixelLease<byte>[3 * Images];
        long before = 0;
        for (int round = 0; round < 300; round++)
        {
            // At first memory has to be got, and blocks that the thread keeps are needed for it.
            before = round == 100 ? ProcessBarrier.Issued : before;
            ProcessorBinding.TryBind(processor: 0);
            for (int i = 0; i < Images; i++)
            {
                images[i] = allocator.Lease<byte>(Block, 1);
                images[Images + i] = allocator.Lease<byte>(Block, 1 + (i % 2));
                images[(2 * Images) + i] = allocator.Lease<byte>(Block / 4, 1);
            }

            ProcessorBinding.TryBind(processor: 1);
            Array.ForEach(images, static image => image.Dispose());
        }

        Console.WriteLine($"{ProcessBarrier.Issued - before} barriers in {200 * images.Length} rents");
        Assert.Equal(before, ProcessBarrier.Issued);
        Assert.InRange(allocator.GetChargedIdleBytes(), 0, allocator.GetStatistics().IdleBytes);
    }

    private static void CountBarriers(string[] arguments)
    {
        bool hasBudget = bool.Parse(arguments[0]);
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = Block,
            MaxPooledBytes = 3 * Block,
            MaxRentedBytes = hasBudget ? 8 * Block : null,
            SmallBuffers = bool.Parse(arguments[1]) ? SmallBufferStrategy.Slab : SmallBufferStrategy.ArrayPool,
            TrimPolicy = TrimPolicy.None,
        });

        // Two threads have caches, and there is nothing in that of the other one.
        using var hold = new ManualResetEventSlim();
        var other = new Thread(() =>
        {
            Use(allocator, Block, 1);
            allocator.Trim();
            hold.Wait();
        })
        { IsBackground = true };
        other.Start();
        while ((other.ThreadState & ThreadState.WaitSleepJoin) == 0)
        {
            Thread.Yield();
        }

        Use(allocator, Block, 1);
        Use(allocator, 1_500, 1);
        long before = ProcessBarrier.Issued;
        for (int i = 0; i < Rounds; i++)
        {
            allocator.Lease<byte>(Block, 1).Dispose();
            allocator.Lease<byte>(1_500, 1).Dispose();
        }

        Console.WriteLine($"{ProcessBarrier.Issued - before} barriers in {2 * Rounds} hits");
        Assert.Equal(before, ProcessBarrier.Issued);

        // All that the pool has: the rest comes from the system, and goes back.
        PixelLease<byte> first = allocator.Lease<byte>(Block, 3);
        before = ProcessBarrier.Issued;
        for (int i = 0; i < Misses; i++)
        {
            allocator.Lease<byte>(Block, 1).Dispose();
        }

        Console.WriteLine($"{ProcessBarrier.Issued - before} and in {Misses} misses");
        if (hasBudget)
        {
            Assert.Equal(before, ProcessBarrier.Issued);

            // Who asks for statistics stops others.
            PixelLease<byte> rest = allocator.Lease<byte>((int)(allocator.GetStatistics().BudgetBytes!.Value - allocator.GetStatistics().ChargedBytes), 1);
            before = ProcessBarrier.Issued;
            for (int i = 0; i < Rounds; i++)
            {
                Assert.False(allocator.TryLease<byte>(Block, 1, out _));
            }

            rest.Dispose();
            Console.WriteLine($"{ProcessBarrier.Issued - before} and in {Rounds} refusals");
        }

        Assert.Equal(before, ProcessBarrier.Issued);
        first.Dispose();
        hold.Set();
        other.Join();
    }

    private static void Use(PixelAllocator allocator, int width, int height)
    {
        for (int i = 0; i < ManyRents; i++)
        {
            allocator.Lease<byte>(width, height).Dispose();
        }
    }
}
