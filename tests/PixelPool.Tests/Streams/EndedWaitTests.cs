using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>Whatever ends the wait of a stream for memory, or what it waits in: the stream keeps nothing that nobody returns, and nothing stays charged.</summary>
public sealed class EndedWaitTests
{
    private const int Block = TestSystem.BlockBytes;
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    // The ways to more memory: pieces one after the other, pieces beside what is lent, what is lent alone, all of it in one rent.
    private static readonly Dictionary<string, Action<PixelPoolStream>> s_calls = new()
    {
        ["write"] = static stream => stream.Write(new byte[Block + 100], 0, Block + 100),
        ["write asynchronously"] = static stream => stream.WriteAsync(new byte[Block + 100], 0, Block + 100).GetAwaiter().GetResult(),
        ["length"] = static stream => stream.SetLength(2 * Block),
        ["memory"] = static stream => stream.GetMemory(Block),
        ["memory beyond the end"] = static stream =>
        {
            stream.Position = (2 * Block) - 10;
            stream.GetMemory(100);
        },
    };

    // What is awaited goes on when the thread that waits for it is interrupted.
    public static IEnumerable<TheoryDataRow<string, string>> Cases =>
        from call in s_calls.Keys
        from end in new[] { "interrupt", "scope", "allocator", "stream", "room" }
        where (call, end) != ("write asynchronously", "interrupt")
        select new TheoryDataRow<string, string>(call, end);

    [Theory]
    [MemberData(nameof(Cases))]
    public void Nothing_stays_behind(string call, string end)
    {
        using var system = new TestSystem(divisible: true);
        using PixelAllocator allocator = system.CreateAllocator(configure: static options =>
        {
            options.MaxRentedBytes = 4 * Block;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        var scope = new RentScope(allocator);
        var stream = new PixelPoolStream(scope);
        stream.Write(new byte[100], 0, 100);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 3);
        Exception? thrown = null;
        var user = new Thread(() => thrown = Record.Exception(() => s_calls[call](stream)));
        user.Start();
        Assert.True(SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, s_limit));
        switch (end)
        {
            case "interrupt":
                user.Interrupt();
                break;
            case "scope":
                scope.Dispose();
                break;
            case "allocator":
                allocator.Dispose();
                break;
            case "stream":
                stream.Dispose();
                break;
        }

        if (end is "stream" or "room")
        {
            // It is given what it waits for.
            held.Dispose();
        }

        Assert.True(user.Join(s_limit), "it waits forever");
        held.Dispose();
        Assert.Equal(end switch { "room" => null, "interrupt" => typeof(ThreadInterruptedException), _ => typeof(ObjectDisposedException) }, thrown?.GetType());
        if (end == "interrupt")
        {
            Assert.Equal(100, stream.Length);
            stream.SetLength(2 * Block);
        }
        else if (end != "room")
        {
            Assert.Throws<ObjectDisposedException>(() => stream.GetMemory(Block));
        }

        stream.Dispose();
        AssertNothingIsHeld(allocator);
        scope.Dispose();
        AssertNothingIsHeld(allocator);
    }

    private static void AssertNothingIsHeld(PixelAllocator allocator)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L, 0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.WaitingRents, statistics.LeakedCount, statistics.SecondReturns));
        StatisticsAssert.Balanced(statistics);
    }
}
