using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>A stream over pooled memory is a memory stream that can be larger, and gives everything back.</summary>
public sealed class PixelPoolStreamTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public PixelPoolStreamTests() => _allocator = _system.CreateAllocator();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        Assert.Equal(0, _allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(_allocator.GetStatistics());
        _allocator.Dispose();
        _system.Dispose();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(TestSystem.SmallBytes)]
    [InlineData(TestSystem.SmallBytes + 1)]
    [InlineData(Block)]
    [InlineData((3 * Block) + 1)]
    public void Capacity_is_there_from_the_start(int bytes)
    {
        using var stream = new PixelPoolStream(_allocator, bytes);
        long rents = _allocator.GetStatistics().Rents;
        Assert.InRange(stream.Capacity, bytes, bytes + (long)Block);
        stream.Write(new byte[bytes]);
        Assert.Equal(rents, _allocator.GetStatistics().Rents);
    }

    [Fact]
    public void What_is_behind_the_end_goes_back()
    {
        using var stream = new PixelPoolStream(_allocator);
        for (int blocks = 1; blocks <= 10; blocks++)
        {
            stream.SetLength(blocks * Block);
        }

        Assert.Equal(10 * Block, _allocator.GetStatistics().RentedBytes);
        stream.SetLength((2 * Block) + 1);
        Assert.Equal(3 * Block, _allocator.GetStatistics().RentedBytes);
        stream.SetLength(0);
        Assert.Equal(0, _allocator.GetStatistics().RentedBytes);
        stream.WriteByte(1);
        Assert.Equal([1], stream.ToArray());
    }

    [Fact]
    public void What_one_call_needed_goes_back_when_none_of_it_is_needed()
    {
        using var stream = new PixelPoolStream(_allocator, Block);
        stream.SetLength(5 * Block);
        stream.SetLength(Block + 1);
        Assert.Equal((5 * Block, 5 * Block), (_allocator.GetStatistics().RentedBytes, stream.Capacity));
        stream.SetLength(Block);
        Assert.Equal((Block, Block), (_allocator.GetStatistics().RentedBytes, stream.Capacity));
    }

    [Fact]
    public void Memory_for_a_writer_is_contiguous_also_where_a_block_ends()
    {
        using var stream = new PixelPoolStream(_allocator);
        stream.SetLength(Block - 3);
        stream.Position = Block - 3;
        Span<byte> span = stream.GetSpan(10);
        Assert.True(span.Length >= 10);
        for (int i = 0; i < 10; i++)
        {
            span[i] = (byte)(i + 1);
        }

        stream.Advance(8);
        Assert.Equal(Block + 5, stream.Length);
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8], stream.ToArray()[^8..]);
        Memory<byte> large = stream.GetMemory(5 * Block);
        Assert.True(large.Length >= 5 * Block);
        large.Span[(5 * Block) - 1] = 77;
        stream.Advance(5 * Block);
        Assert.Equal(77, stream.ToArray()[^1]);
        ((IBufferWriter<byte>)stream).Write("four"u8);
        Assert.Equal("four"u8.ToArray(), stream.ToArray()[^4..]);
    }

    [Fact]
    public void Only_what_was_given_can_be_advanced_over()
    {
        using var stream = new PixelPoolStream(_allocator);
        Assert.Throws<InvalidOperationException>(() => stream.Advance(1));
        stream.Advance(0);
        int given = stream.GetMemory(10).Length;
        Assert.Throws<InvalidOperationException>(() => stream.Advance(given + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.GetMemory(-1));
        stream.Position = 3;
        Assert.Throws<InvalidOperationException>(() => stream.Advance(1));
        Assert.Equal(0, stream.Length);
    }

    [Fact]
    public void Bad_arguments_are_refused()
    {
        using var stream = new PixelPoolStream(_allocator);
        Assert.Throws<ArgumentNullException>(() => new PixelPoolStream((PixelAllocator)null!));
        Assert.Throws<ArgumentNullException>("scope", () => new PixelPoolStream((RentScope)null!));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PixelPoolStream(_allocator, -1));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.SetLength(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Position = -1);
        Assert.Throws<IOException>(() => stream.Seek(-1, SeekOrigin.End));
        Assert.Throws<IOException>(() => stream.Seek(1, SeekOrigin.Begin) + stream.Seek(long.MaxValue, SeekOrigin.Current));
        Assert.Throws<ArgumentException>(() => stream.Seek(0, (SeekOrigin)9));
        Assert.Throws<ArgumentNullException>(() => stream.Write(null!, 0, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Write(new byte[3], 2, 2));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Read(new byte[3], -1, 2));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Read(new byte[3], 1, -2));
        stream.Position = long.MaxValue;
        Assert.Throws<InvalidMemoryOperationException>(() => stream.WriteByte(1));
        Assert.Throws<InvalidMemoryOperationException>(() => stream.GetMemory(10));
        Assert.Throws<InvalidMemoryOperationException>(() => stream.GetMemory(int.MaxValue));
        Assert.Equal(0, stream.Length);
    }

    [Fact]
    public void A_disposed_stream_throws_and_a_second_disposal_does_nothing()
    {
        var stream = new PixelPoolStream(_allocator);
        stream.Write(new byte[3 * Block]);
        ReadOnlySequence<byte> sequence = stream.AsReadOnlySequence();
        stream.GetMemory(2 * Block);
        stream.Dispose();
        stream.Dispose();
        Assert.False(stream.CanRead || stream.CanWrite || stream.CanSeek);
        foreach (Action use in (Action[])
            [
                () => _ = stream.Length, () => _ = stream.Position, () => stream.Position = 0, () => _ = stream.Capacity, () => stream.SetLength(0), () => stream.Seek(0, SeekOrigin.Begin),
                () => stream.ReadByte(), () => _ = stream.Read(new byte[1]) + 1, () => _ = stream.Read(new byte[1], 0, 1) + 1, () => stream.WriteByte(1), () => stream.Write(new byte[1]),
                () => stream.ToArray(), () => stream.AsReadOnlySequence(), () => stream.GetMemory(), () => stream.GetSpan(), () => stream.Advance(0),
                () => stream.CopyTo(Stream.Null), () => stream.CopyToAsync(Stream.Null, Token).GetAwaiter().GetResult(),
                () => stream.WriteAsync(new byte[1], Token).AsTask().GetAwaiter().GetResult(), () => _ = sequence.First.Span[0],
            ])
        {
            Assert.Throws<ObjectDisposedException>(use);
        }

        Assert.EndsWith(", disposed", stream.ToString(), StringComparison.Ordinal);
        Assert.Equal(0, _allocator.GetStatistics().SecondReturns);
    }

    [Fact]
    public async Task Growth_that_the_budget_refuses_leaves_the_stream_as_it_was()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 4 * Block);
        using var stream = new PixelPoolStream(allocator);
        stream.Write([1, 2, 3]);
        PixelBuffer<byte> others = allocator.Rent<byte>(Block, 2);
        Assert.Throws<PixelBudgetExceededException>(() => stream.Write(new byte[3 * Block]));
        Assert.Throws<PixelBudgetExceededException>(() => stream.SetLength(3 * Block));
        Assert.Equal((3, 3), (stream.Length, stream.Position));
        Assert.Equal([1, 2, 3], stream.ToArray());
        Task writing = stream.WriteAsync(new byte[(2 * Block) + 100], Token).AsTask();
        Assert.False(writing.IsCompleted);
        others.Dispose();
        await writing;
        Assert.Equal((2 * Block) + 103, stream.Length);
        await Assert.ThrowsAsync<PixelBudgetExceededException>(() => stream.WriteAsync(new byte[10 * Block], Token).AsTask());
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.WriteAsync(new byte[1], cancelled.Token).AsTask());
        Assert.Equal((2 * Block) + 103, stream.Length);
        stream.Dispose();
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public void A_stream_of_a_scope_ends_with_it()
    {
        var scope = new RentScope(_allocator);
        var stream = new PixelPoolStream(scope);
        stream.Write(new byte[5 * Block]);
        scope.Dispose();
        Assert.Equal(0, _allocator.GetStatistics().RentedBytes);
        stream.Position = 0;
        Assert.Throws<ObjectDisposedException>(() => stream.ReadByte());
        Assert.Throws<ObjectDisposedException>(() => stream.Write(new byte[Block * 9]));
        stream.Dispose();
    }

    [Fact]
    public async Task A_wait_for_budget_ends_when_the_stream_is_disposed_meanwhile()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 2 * Block);
        PixelBuffer<byte> others = allocator.Rent<byte>(Block, 2);
        var stream = new PixelPoolStream(allocator);
        Task writing = stream.WriteAsync(new byte[Block], Token).AsTask();
        Assert.False(writing.IsCompleted);
        stream.Dispose();
        others.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => writing);
        Assert.Equal((0, 0), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().ChargedBytes));
    }
}
