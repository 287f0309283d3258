using System.Runtime.CompilerServices;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>Small images of slabs under a budget that is full of blocks which are cut: a piece that becomes free serves who waits, although no bytes of the budget do.</summary>
public sealed class WaitForPieceTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;
    private const int Pieces = 8;
    private const int Piece = Block / Pieces;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_piece_that_comes_back_serves_a_request_that_is_awaited(bool onAnotherThread)
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] held = RentAll(allocator);
        Task<PixelBuffer<byte>> waiting = Begin(allocator);
        Assert.Equal(1, allocator.GetStatistics().WaitingRents);
        Return(held[3], onAnotherThread);
        using (PixelBuffer<byte> image = await waiting.WaitAsync(s_limit, TestContext.Current.CancellationToken))
        {
            PixelPattern.Fill(image, 1);
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal((Block, Block, 0L, 1L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.WaitingRents, statistics.Waits));
        }

        AssertAllComesBack(allocator, held);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_piece_that_comes_back_serves_a_thread_that_is_blocked(bool onAnotherThread)
    {
        using PixelAllocator allocator = Create(options => options.RentTimeout = Timeout.InfiniteTimeSpan);
        PixelBuffer<byte>[] held = RentAll(allocator);
        Task<PixelBuffer<byte>> waiting = Task.Run(() => allocator.Rent<byte>(Piece, 1), TestContext.Current.CancellationToken);
        Assert.True(SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, s_limit));
        Return(held[3], onAnotherThread);
        Assert.True(waiting.Wait(s_limit, TestContext.Current.CancellationToken), "it waits forever");
        waiting.Result.Dispose();
        AssertAllComesBack(allocator, held);
    }

    [Fact]
    public async Task A_forgotten_piece_serves_who_waits()
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] held = RentAll(allocator, Pieces - 1);
        Forget(allocator);
        Task<PixelBuffer<byte>> waiting = Begin(allocator);
        Collector.CollectAll();
        (await waiting.WaitAsync(s_limit, TestContext.Current.CancellationToken)).Dispose();
        AssertAllComesBack(allocator, held);
    }

    [Fact]
    public async Task In_a_scope_with_a_limit_only_the_piece_stays_charged()
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] held = RentAll(allocator);
        using RentScope scope = allocator.CreateScope(4 * Piece);
        Task<PixelBuffer<byte>> waiting = scope.RentAsync<byte>(Piece, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        held[0].Dispose();
        using (PixelBuffer<byte> image = await waiting.WaitAsync(s_limit, TestContext.Current.CancellationToken))
        {
            Assert.Equal(Piece, scope.ChargedBytes);
        }

        Assert.Equal(0, scope.ChargedBytes);
        AssertAllComesBack(allocator, held);
    }

    [Fact]
    public async Task Those_who_wait_for_the_same_size_are_served_in_the_order_they_came_and_others_stay_in_line()
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] held = RentAll(allocator);
        Task<PixelBuffer<byte>> block = Begin(allocator, Block);
        Task<PixelBuffer<byte>> half = Begin(allocator, Block / 2);
        Task<PixelBuffer<byte>> first = Begin(allocator);
        Task<PixelBuffer<byte>> second = Begin(allocator);
        held[0].Dispose();
        held[0] = await first.WaitAsync(s_limit, TestContext.Current.CancellationToken);
        Assert.Equal(3, allocator.GetStatistics().WaitingRents);
        Assert.False(second.IsCompleted);
        held[1].Dispose();
        held[1] = await second.WaitAsync(s_limit, TestContext.Current.CancellationToken);
        Assert.Equal(2, allocator.GetStatistics().WaitingRents);

        // All of it: then the others are next, one after the other.
        Array.ForEach(held, static image => image.Dispose());
        (await block.WaitAsync(s_limit, TestContext.Current.CancellationToken)).Dispose();
        (await half.WaitAsync(s_limit, TestContext.Current.CancellationToken)).Dispose();
        AssertAllComesBack(allocator, []);
    }

    [Fact]
    public async Task Who_has_given_up_gets_no_piece()
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] held = RentAll(allocator);
        using var cancellation = new CancellationTokenSource();
        Task<PixelBuffer<byte>> first = allocator.RentAsync<byte>(Piece, 1, cancellationToken: cancellation.Token).AsTask();
        Task<PixelBuffer<byte>> second = Begin(allocator);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        held[0].Dispose();
        (await second.WaitAsync(s_limit, TestContext.Current.CancellationToken)).Dispose();
        AssertAllComesBack(allocator, held);
    }

    [Fact]
    public async Task Other_pieces_of_a_block_that_is_cut_serve_who_came_while_it_was_got()
    {
        using PixelAllocator allocator = Create();
        Task<PixelBuffer<byte>>[] waiting = [];
        _system.Source.OnAllocate = _ =>
        {
            _system.Source.OnAllocate = null;
            waiting = [.. Enumerable.Range(0, 2).Select(_ => Begin(allocator))];
            Assert.Equal(2, allocator.GetStatistics().WaitingRents);
        };
        PixelBuffer<byte> image = allocator.Rent<byte>(Piece, 1);
        foreach (Task<PixelBuffer<byte>> one in waiting)
        {
            (await one.WaitAsync(s_limit, TestContext.Current.CancellationToken)).Dispose();
        }

        AssertAllComesBack(allocator, [image]);
    }

    [Fact]
    public async Task Free_pieces_that_a_trim_has_taken_out_serve_who_comes_meanwhile()
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] held = RentAll(allocator);
        held[^1].Dispose();
        Task<PixelBuffer<byte>>? waiting = null;
        _system.Source.OnDiscard = _ =>
        {
            // On another thread: it waits for the pieces.
            _system.Source.OnDiscard = null;
            waiting = Task.Run(() => Begin(allocator), TestContext.Current.CancellationToken);
            SpinWait.SpinUntil(() => waiting.IsCompleted || allocator.GetStatistics().WaitingRents != 0, TimeSpan.FromMilliseconds(100));
        };
        allocator.Trim();
        held[^1] = await waiting!.WaitAsync(s_limit, TestContext.Current.CancellationToken);
        AssertAllComesBack(allocator, held);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Nobody_waits_while_a_piece_is_free(bool isScoped)
    {
        // Two blocks are 16 pieces, or 8 arrays: if each thread has one, there is one more.
        const int Threads = 7;
        int seed = Environment.TickCount;
        TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}");
        using PixelAllocator allocator = Create(static options =>
        {
            options.RentTimeout = Timeout.InfiniteTimeSpan;
            options.MaxRentedBytes = 2 * Block;
        });
        using RentScope? scope = isScoped ? allocator.CreateScope(2 * Block) : null;
        Simultaneously.Run(Threads, s_limit, thread =>
        {
            var random = new Random(seed + thread);
            var mine = new Queue<PixelBuffer<byte>>();
            for (int i = 0; i < 2_000; i++)
            {
                // Whoever holds a piece asks for one of the same size: so somebody can always go on.
                int bytes = mine.TryPeek(out PixelBuffer<byte>? first) ? first.Width : random.Next(8) == 0 ? Piece / 2 : Piece;
                switch (random.Next(4))
                {
                    case 0 when TryRent(bytes, out PixelBuffer<byte>? tried):
                        mine.Enqueue(tried!);
                        break;
                    case 1:
                        mine.Enqueue(scope is null ? allocator.Rent<byte>(bytes, 1) : scope.Rent<byte>(bytes, 1));
                        break;
                    case 2:
                        mine.Enqueue(RentAsync(bytes, CancellationToken.None).GetAwaiter().GetResult());
                        break;
                    default:
                        using (var cancellation = new CancellationTokenSource())
                        {
                            Task<PixelBuffer<byte>> rent = RentAsync(bytes, cancellation.Token);
                            cancellation.Cancel();
                            try
                            {
                                mine.Enqueue(rent.GetAwaiter().GetResult());
                            }
                            catch (OperationCanceledException)
                            {
                                // It had to wait.
                            }
                        }

                        break;
                }

                Thread.Yield();
                while (mine.Count > random.Next(2))
                {
                    mine.Dequeue().Dispose();
                }
            }

            while (mine.TryDequeue(out PixelBuffer<byte>? last))
            {
                last.Dispose();
            }
        });

        bool TryRent(int bytes, out PixelBuffer<byte>? image) =>
            scope is null ? allocator.TryRent(bytes, 1, out image) : scope.TryRent(bytes, 1, out image);

        Task<PixelBuffer<byte>> RentAsync(int bytes, CancellationToken token) =>
            (scope is null ? allocator.RentAsync<byte>(bytes, 1, cancellationToken: token) : scope.RentAsync<byte>(bytes, 1, cancellationToken: token)).AsTask();

        Assert.Equal(0, scope?.ChargedBytes ?? 0);
        Assert.True(allocator.GetStatistics().Waits > 0, "nobody waited: nothing was tested");
        AssertAllComesBack(allocator, []);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Category", "Long")]
    public void Nothing_is_lost_when_the_end_of_allocator_or_scope_meets_the_piece(bool endsScope)
    {
        for (int round = 0; round < 300; round++)
        {
            PixelAllocator allocator = Create();
            RentScope scope = allocator.CreateScope(Block);
            PixelBuffer<byte>[] held = RentAll(allocator);
            Task<PixelBuffer<byte>> waiting = endsScope ? scope.RentAsync<byte>(Piece, 1).AsTask() : Begin(allocator);
            Simultaneously.Run(2, index =>
            {
                if (index == 0)
                {
                    held[0].Dispose();
                }
                else if (endsScope)
                {
                    scope.Dispose();
                }
                else
                {
                    allocator.Dispose();
                }
            });
            Assert.True(Task.WhenAny(waiting).Wait(s_limit), "it waits forever");
            if (waiting.IsCompletedSuccessfully)
            {
                waiting.Result.Dispose();
            }
            else
            {
                Assert.IsType<ObjectDisposedException>(waiting.Exception!.InnerException);
            }

            Assert.Equal(0, scope.ChargedBytes);
            Array.ForEach(held, static image => image.Dispose());
            Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().ChargedBytes));
            scope.Dispose();
            allocator.Dispose();
            _system.Source.AssertAllFreed();
        }
    }

    private static void AssertAllComesBack(PixelAllocator allocator, PixelBuffer<byte>[] held)
    {
        Array.ForEach(held, static image => image.Dispose());
        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((0L, 0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.WaitingRents));
        allocator.Trim();
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
    }

    private static void Return(PixelBuffer<byte> image, bool onAnotherThread)
    {
        if (onAnotherThread)
        {
            Simultaneously.Run(1, _ => image.Dispose());
        }
        else
        {
            image.Dispose();
        }
    }

    private static Task<PixelBuffer<byte>> Begin(PixelAllocator allocator, int bytes = Piece) => allocator.RentAsync<byte>(bytes, 1).AsTask();

    private static PixelBuffer<byte>[] RentAll(PixelAllocator allocator, int count = Pieces) =>
        [.. Enumerable.Range(0, count).Select(_ => allocator.Rent<byte>(Piece, 1))];

    [MethodImpl(MethodImplOptions.NoInlining)]
#pragma warning disable PXP001 // that is the test
    private static void Forget(PixelAllocator allocator) => _ = allocator.Rent<byte>(Piece, 1);
#pragma warning restore PXP001

    private PixelAllocator Create(Action<PixelAllocatorOptions>? configure = null) => _system.CreateAllocator(4, options =>
    {
        options.SmallBuffers = SmallBufferStrategy.Slab;
        options.SmallBufferThresholdBytes = Block / 2;
        options.MaxRentedBytes = Block;
        configure?.Invoke(options);
    });
}
