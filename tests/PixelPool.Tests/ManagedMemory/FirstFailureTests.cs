using System.Globalization;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>What is done for the first time in a process that has no managed memory left fails with that, or is done; and is done when there is some again.</summary>
[Trait("Category", "Long")]
public sealed class FirstFailureTests
{
    private const int BlockBytes = WalkedAllocator.BlockBytes;

    private static readonly Dictionary<string, Func<Action>> s_ways = new()
    {
        ["look at the memory of the system"] = static () =>
        {
            // Of few blocks it is not asked.
            var allocator = PixelAllocator.Create(new PixelAllocatorOptions { UseHugePages = false });
            return () => allocator.Rent<byte>(1 << 20, 20).Dispose();
        },
        ["external charge"] = static () =>
        {
            PixelAllocator allocator = Create();
            return () => allocator.ChargeExternal(1).Dispose();
        },
        ["wait"] = static () =>
        {
            PixelAllocator allocator = Create();
            PixelBuffer<byte> held = allocator.Rent<byte>(BlockBytes, 4);
            return () =>
            {
                using var source = new CancellationTokenSource();

                // No task is made of it, which would run initializers of the runtime.
                ValueTask<PixelBuffer<byte>> rent = allocator.RentAsync<byte>(BlockBytes, 1, cancellationToken: source.Token);
                source.Cancel();
                try
                {
                    rent.GetAwaiter().GetResult().Dispose();
                    Assert.Fail("It was not cancelled.");
                }
                catch (OperationCanceledException)
                {
                }

                GC.KeepAlive(held);
            };
        },
        ["view"] = static () =>
        {
            PixelAllocator allocator = Create();
            PixelBuffer<byte> image = allocator.Rent<byte>(BlockBytes, 1);
            return () => image.View(0, 0, 1, 1).Dispose();
        },
        ["stream"] = static () =>
        {
            PixelAllocator allocator = Create();
            return () => new PixelPoolStream(allocator).Dispose();
        },
        ["scope"] = static () =>
        {
            PixelAllocator allocator = Create();
            return () =>
            {
                using RentScope scope = allocator.CreateScope(BlockBytes);
                scope.ReserveScope(BlockBytes);
            };
        },
        ["allocator"] = static () => static () => Create().Dispose(),
        ["look after those who wait"] = static () =>
        {
            var time = new StillTime();
            PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
            {
                BlockBytes = BlockBytes,
                SmallBuffers = SmallBufferStrategy.None,
                MaxRentedBytes = 4 * BlockBytes,
                LongWaitThreshold = TimeSpan.FromMilliseconds(1),
                TimeProvider = time,
            });
            PixelBuffer<byte> held = allocator.Rent<byte>(BlockBytes, 4);
            int looks = 0;
            _ = allocator.RentAsync<byte>(BlockBytes, 1).AsTask();
            return () =>
            {
                time.Advance(TimeSpan.FromSeconds(2));
                if (looks++ == 2)
                {
                    Assert.Equal(1, allocator.GetStatistics().LongWaits);
                }

                GC.KeepAlive(held);
            };
        },
    };

    // Bytes that are left: which allocation fails first.
    private static readonly int[] s_left = [FullHeap.LeastBytes, 200, 400, 700, 1100, 1600];

    public static MatrixTheoryData<string, int> Ways => new(s_ways.Keys, s_left);

    [Theory]
    [MemberData(nameof(Ways))]
    public void What_fails_the_first_time_for_lack_of_memory_works_the_next_time(string way, int left) =>
        ChildProcess.Run(FailOnce, [way, left.ToString(CultureInfo.InvariantCulture)], FullHeap.Environment);

    private static void FailOnce(string[] arguments)
    {
        Unhandled.Watch();
        FirstTimeTests.CompileLibrary();

        // They have initializers of their own, which are the runtime's affair.
        ThreadPool.QueueUserWorkItem(static _ => { });
        Task.Run(static () => { }).Wait();
        Action way = s_ways[arguments[0]]();
        var heap = new FullHeap();
        heap.FillBut(int.Parse(arguments[1], CultureInfo.InvariantCulture));
        try
        {
            way();
        }
        catch (Exception e) when (e is OutOfMemoryException or AggregateException { InnerException: OutOfMemoryException })
        {
        }

        heap.Release();
        way();
        way();
        Unhandled.Check();
    }

    private static PixelAllocator Create() => PixelAllocator.Create(new PixelAllocatorOptions
    {
        BlockBytes = BlockBytes,
        SmallBufferThresholdBytes = 0,
        MaxRentedBytes = 4 * BlockBytes,
        MaxPooledBytes = 16 * BlockBytes,
        UseHugePages = false,
    });
}
