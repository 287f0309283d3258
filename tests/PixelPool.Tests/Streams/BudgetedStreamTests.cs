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
    public void What_is_lent_and_not_used_goes_back()
    {
        using var stream = new PixelPoolStream(_allocator);
        stream.SetLength(Block - 3);
        stream.Position = Block - 3;
        foreach (Action end in (Action[])[() => stream.Advance(0), () => stream.Position = 0, () => stream.Write([1]), () => stream.GetSpan(1).Clear()])
        {
            stream.Position = Block - 3;
            stream.GetMemory(2 * Block);
            Assert.Equal(3 * Block, ChargedBytes);
            end();
            Assert.Equal(Block, ChargedBytes);
        }
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

    [Fact]
    public void A_stream_may_write_what_it_has_itself()
    {
        // The small memory in which the bytes lie is replaced while they are written.
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.ClearOnReturn = true);
        using var stream = new PixelPoolStream(allocator);
        stream.Write(new byte[TestSystem.SmallBytes].AsSpan()[..^1]);
        stream.Position = 0;
        stream.Write(Enumerable.Repeat((byte)7, 1000).ToArray());
        stream.Position = stream.Length;
        stream.Write(stream.AsReadOnlySequence().FirstSpan[..1000]);
        Assert.Equal(Enumerable.Repeat((byte)7, 1000), stream.ToArray()[^1000..]);
    }
}
