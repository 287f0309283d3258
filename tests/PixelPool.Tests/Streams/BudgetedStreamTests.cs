using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>What the budget refuses leaves a stream as it was, and what it grants is charged once.</summary>
public sealed class BudgetedStreamTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    // Blocks side by side are exactly as many as are asked for.
    private readonly TestSystem _system = new(divisible: true);
    private readonly PixelAllocator _allocator;

    public BudgetedStreamTests() => _allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 6 * Block);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private long ChargedBytes => _allocator.GetStatistics().ChargedBytes;

    public void Dispose()
    {
        Assert.Equal((0, 0), (_allocator.GetStatistics().RentedBytes, ChargedBytes));
        StatisticsAssert.Balanced(_allocator.GetStatistics());
        _allocator.Dispose();
        _system.Dispose();
    }

    /// <summary>A stream keeps what it has until what replaces it is there. Arrays may be longer than any rule says.</summary>
    [Theory]
    [InlineData(false, false, 40_000)]
    [InlineData(false, true, 40_000)]
    [InlineData(true, false, 190_000)]
    [InlineData(true, true, 190_000)]
    public async Task A_stream_that_would_wait_for_its_own_smaller_piece_is_refused_at_once(bool isLong, bool isAsync, int mostBytes)
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: options =>
        {
            options.SmallBufferThresholdBytes = Block / 2;
            options.ArrayPool = isLong ? new LongArrayPool() : new RecyclingArrayPool();
            options.MaxRentedBytes = mostBytes;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        using var stream = new PixelPoolStream(allocator);
        stream.Write(new byte[10]);
        await Assert.ThrowsAsync<PixelBudgetExceededException>(() => WriteSoonAsync(stream, 20_000, isAsync));
        Assert.Equal(10, stream.Length);
    }

    [Fact]
    public void A_stream_needs_no_more_than_its_piece()
    {
        const int Piece = 16 * 1024;
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.SmallBufferThresholdBytes = Block / 2;
        });
        using RentScope scope = allocator.CreateScope(Piece);
        using var stream = new PixelPoolStream(scope);
        stream.WriteByte(1);
        Assert.Equal(Piece, scope.ChargedBytes);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_write_does_not_wait_for_what_the_stream_has_lent(bool isAsync)
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.MaxRentedBytes = 2 * Block;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        using var stream = new PixelPoolStream(allocator);
        stream.SetLength(Block - 10);
        stream.Position = Block - 10;
        stream.GetMemory(100);
        Assert.Equal(2 * Block, allocator.GetStatistics().ChargedBytes);
        await WriteSoonAsync(stream, 100, isAsync);
        Assert.Equal(Block + 90, stream.Length);
    }

#if !LIBRARY_NETSTANDARD // its streams copy what they write asynchronously
    [Fact]
    public async Task Bytes_that_lie_in_what_was_lent_are_written_in_the_room_that_they_have()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 2 * Block);
        using var stream = new PixelPoolStream(allocator);
        stream.SetLength(Block - 10);
        stream.Position = Block - 10;
        Memory<byte> lent = stream.GetMemory(100);
        lent.Span.Fill(8);
        await stream.WriteAsync(lent[..100], Token).AsTask().WaitAsync(TimeSpan.FromSeconds(20), Token);
        Assert.Equal(Enumerable.Repeat((byte)8, 100), stream.ToArray()[(Block - 10)..]);
    }
#endif

    [Theory]
    [InlineData(0, (3 * Block) - 10, 4 * Block)]
    [InlineData(Block / 4, Block - 10, 6 * Block)]
    public async Task Memory_that_would_wait_for_the_streams_own_is_refused_at_once(int length, int position, int bytes)
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.MaxRentedBytes = 6 * Block;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        using var stream = new PixelPoolStream(allocator);
        stream.SetLength(length);
        stream.Position = position;
        (long, long) before = (stream.Capacity, allocator.GetStatistics().ChargedBytes);
        await Assert.ThrowsAsync<PixelBudgetExceededException>(() => Task.Run(() => stream.GetMemory(bytes), Token).WaitAsync(TimeSpan.FromSeconds(20), Token));
        Assert.Equal(before, (stream.Capacity, allocator.GetStatistics().ChargedBytes));
    }

    [Fact]
    public async Task Two_streams_that_ask_for_memory_over_the_end_of_a_block_do_not_wait_for_each_other()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.MaxRentedBytes = 3 * Block;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 3);
        Task[] both = [.. Enumerable.Range(0, 2).Select(_ => Task.Run(LendAndEnd, Token))];
        Assert.True(SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 2, TimeSpan.FromSeconds(20)));
        held.Dispose();
        await Task.WhenAll(both).WaitAsync(TimeSpan.FromSeconds(20), Token);

        void LendAndEnd()
        {
            using var stream = new PixelPoolStream(allocator);
            stream.Position = (2 * Block) - 10;
            stream.GetMemory(100).Span[..100].Fill(7);
            stream.Advance(100);
            Assert.Equal((2 * Block) + 90, stream.Length);
        }
    }

    private static Task WriteSoonAsync(PixelPoolStream stream, int bytes, bool isAsync) =>
        (isAsync ? stream.WriteAsync(new byte[bytes], Token).AsTask() : Task.Run(() => stream.Write(new byte[bytes]), Token)).WaitAsync(TimeSpan.FromSeconds(20), Token);

    [Theory]
    [InlineData(0, 0)]
    [InlineData(100, 100)]
    [InlineData(100, 3)]
    [InlineData(100, 3 * Block)]
    [InlineData(Block - 3, Block - 3)]
    [InlineData(2 * Block, 0)]
    [InlineData(2 * Block, Block - 3)]
    [InlineData(2 * Block, 2 * Block)]
    public async Task A_refusal_leaves_the_stream_as_it_was(int length, int position)
    {
        using var stream = new PixelPoolStream(_allocator);
        byte[] content = new byte[length];
        new Random(length).NextBytes(content);
        stream.Write(content);
        stream.Position = position;
        using PixelBuffer<byte> others = _allocator.Rent<byte>(Block, 3);
        int missing = (5 * Block) - 100 - position;
        (long, long, long, long) before = (stream.Length, stream.Position, stream.Capacity, ChargedBytes);
        foreach (Action use in (Action[])
            [
                () => stream.Write(new byte[missing]), () => stream.SetLength(position + missing), () => stream.GetMemory(missing), () => stream.GetSpan(missing).Clear(),
                () => stream.Write(new byte[missing + (2 * Block)]), () => stream.SetLength(7 * Block), () => stream.GetMemory(7 * Block),
            ])
        {
            Assert.Throws<PixelBudgetExceededException>(use);
            AssertUnchanged();
        }

        using var cancellation = new CancellationTokenSource();
        Task waiting = stream.WriteAsync(new byte[missing], cancellation.Token).AsTask();
        Assert.False(waiting.IsCompleted);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        AssertUnchanged();

        void AssertUnchanged()
        {
            Assert.Equal(before, (stream.Length, stream.Position, stream.Capacity, ChargedBytes));
            Assert.Equal(content, stream.ToArray());
            Assert.Throws<InvalidOperationException>(() => stream.Advance(1));
        }
    }

    [Theory]
    [InlineData(0, 0, Block, Block)]
    [InlineData(0, 0, 3 * Block, 3 * Block)]
    [InlineData(0, 0, 6 * Block, 6 * Block)]
    [InlineData(Block - 3, Block - 3, 10, 2 * Block)]
    [InlineData(Block - 3, Block - 3, 2 * Block, 3 * Block)]
    [InlineData(Block, Block, 5 * Block, 6 * Block)]
    [InlineData((3 * Block) - 3, (3 * Block) - 3, 3 * Block, 6 * Block)]
    public void What_is_granted_is_charged_once_and_can_be_advanced_over(int length, int position, int bytes, long charged)
    {
        using var stream = new PixelPoolStream(_allocator);
        stream.SetLength(length);
        stream.Position = position;
        stream.GetSpan(bytes).Slice(0, bytes).Fill(5);
        Assert.Equal(charged, ChargedBytes);
        stream.Advance(bytes);
        Assert.Equal((charged, charged), (ChargedBytes, stream.Capacity));
        Assert.Equal(Enumerable.Repeat((byte)5, bytes), stream.ToArray()[position..]);
    }

    [Fact]
    public void What_is_lent_and_not_used_is_lent_again()
    {
        using var stream = new PixelPoolStream(_allocator);
        stream.SetLength(Block - 3);
        foreach (Action end in (Action[])[() => stream.Advance(0), () => stream.Position = 0, () => stream.Write([1]), () => stream.GetSpan(1).Clear()])
        {
            stream.Position = Block - 3;
            stream.GetMemory(2 * Block);
            end();
            Assert.Equal((3 * Block, 3 * Block), (ChargedBytes, stream.Capacity));
        }
    }

    /// <summary>What was rented in one go goes back in one go: until then the stream uses all of it, and knows of it.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    public async Task What_is_lent_after_a_wait_and_not_used_is_room_of_the_stream(int advanced)
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.MaxRentedBytes = 4 * Block;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 4);
        using var stream = new PixelPoolStream(allocator) { Position = (2 * Block) - 10 };
        Task lending = Task.Run(() => stream.GetMemory(100), Token);
        SpinWait.SpinUntil(() => allocator.GetStatistics().WaitingRents == 1, TimeSpan.FromMinutes(2));
        held.Dispose();
        await lending;
        stream.Advance(advanced);
        Assert.Equal((3 * Block, 3 * Block), (allocator.GetStatistics().ChargedBytes, stream.Capacity));
        stream.Position = 0;
        await stream.WriteAsync(new byte[4 * Block], Token).AsTask().WaitAsync(TimeSpan.FromMinutes(2), Token);
        Assert.Equal((4 * Block, 4 * Block), (allocator.GetStatistics().ChargedBytes, stream.Capacity));
        stream.SetLength(0);
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public void A_stream_over_what_is_disposed_is_refused_at_once()
    {
        PixelAllocator allocator = _system.CreateAllocator();
        RentScope scope = new(allocator);
        scope.Dispose();
        Assert.Throws<ObjectDisposedException>(() => new PixelPoolStream(scope));
        allocator.Dispose();
        Assert.Throws<ObjectDisposedException>(() => new PixelPoolStream(allocator));
    }

    [Fact]
    public async Task A_stream_that_would_wait_for_its_own_small_memory_is_refused_at_once()
    {
        using var stream = new PixelPoolStream(_allocator);
        stream.Write([1, 2, 3]);
        await Assert.ThrowsAsync<PixelBudgetExceededException>(() => stream.WriteAsync(new byte[(6 * Block) - 3], Token).AsTask());
        Assert.Equal([1, 2, 3], stream.ToArray());
        await stream.WriteAsync(new byte[(5 * Block) - 3], Token);
        stream.SetLength(6 * Block);
        Assert.Equal(6 * Block, ChargedBytes);
    }

    [Fact]
    public void A_length_that_no_memory_has_is_an_error_that_says_so()
    {
        using var stream = new PixelPoolStream(_allocator);
        Assert.Throws<InvalidMemoryOperationException>(() => stream.SetLength(long.MaxValue));
        Assert.Throws<PixelBudgetExceededException>(() => stream.SetLength(1L << 40));
        Assert.Equal((0, 0, 0), (stream.Length, stream.Capacity, ChargedBytes));
    }

    /// <summary>Two streams that each had a part would wait for each other.</summary>
    [Fact]
    public async Task A_stream_that_waits_for_blocks_holds_none_of_them()
    {
        using var first = new PixelPoolStream(_allocator);
        using var second = new PixelPoolStream(_allocator);
        await first.WriteAsync(new byte[4 * Block], Token);
        Task waiting = second.WriteAsync(new byte[4 * Block], Token).AsTask();
        Assert.False(waiting.IsCompleted);
        Assert.Equal((4 * Block, 0), (ChargedBytes, second.Capacity));
        first.Dispose();
        await waiting;
        Assert.Equal((4 * Block, 4 * Block), (ChargedBytes, second.Capacity));
    }

#if !LIBRARY_NETSTANDARD // there it is the base class that takes memory
    [Fact]
    public async Task Memory_that_has_ended_fails_the_task()
    {
        IMemoryOwner<byte> owner = _allocator.Allocate<byte>(100);
        Memory<byte> ended = owner.Memory;
        owner.Dispose();
        using var stream = new PixelPoolStream(_allocator, Block);
        Task writing = stream.WriteAsync(ended, Token).AsTask();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => writing);
        Assert.Equal((0, 0), (stream.Length, stream.Position));
    }
#endif

    /// <summary>Many streams that could not be opened, in a scope that lives on.</summary>
    [Fact]
    public void A_scope_does_not_remember_streams_that_were_refused() => ChildProcess.Run(OpenInVain);

    private static void OpenInVain()
    {
        const int Times = 10_000;
        using PixelAllocator allocator = PixelAllocator.Create();
        using RentScope scope = allocator.CreateScope(1000);
        Try(scope, Times / 10);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        Try(scope, Times);
        long more = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.True(more < 20 * Times, $"{more} bytes");
        GC.KeepAlive(scope);

        static void Try(RentScope scope, int times)
        {
            for (int i = 0; i < times; i++)
            {
                Assert.Throws<PixelBudgetExceededException>(() => new PixelPoolStream(scope, 2000));
            }
        }
    }

    private sealed class LongArrayPool : ArrayPool<byte>
    {
        public override byte[] Rent(int minimumLength) => new byte[4 * minimumLength];

        public override void Return(byte[] array, bool clearArray = false)
        {
        }
    }
}
