using System.Buffers;
using System.Runtime.InteropServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>Memory that <see cref="PixelPoolStream.GetMemory"/> lends becomes a part of the stream, or ends with the next use of it.</summary>
public sealed class LentMemoryTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public LentMemoryTests() => _allocator = _system.CreateAllocator();

    public static MatrixTheoryData<StreamState, string> Uses =>
        new([StreamState.Lent, StreamState.LentAcrossBlocks], StreamCalls.Names);

    public void Dispose()
    {
        Assert.Equal(0, _allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(_allocator.GetStatistics());
        _allocator.Dispose();
        _system.Dispose();
    }

    [Theory]
    [MemberData(nameof(Uses))]
    public async Task Ends_when_the_stream_is_used_otherwise(StreamState state, string call)
    {
        using var streams = StreamPair.In(_allocator, state, 2 * Block);
        StreamCall use = StreamCalls.Of(call);
        await use.OutcomeAsync(streams.Model);
        await use.OutcomeAsync(streams.Stream);
        if (!use.EndsWhatIsLent)
        {
            streams.Stream.Advance(10);
            streams.Model.Write(Enumerable.Repeat((byte)0xEE, 10).ToArray());
        }
        else if (streams.Stream.CanWrite)
        {
            Assert.Throws<InvalidOperationException>(() => streams.Stream.Advance(1));
            Assert.Throws<InvalidOperationException>(() => streams.Stream.Advance(streams.Stream.GetMemory(3).Length + 1));
        }
        else
        {
            Assert.Throws<ObjectDisposedException>(() => streams.Stream.Advance(1));
        }

        streams.AssertAlike();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Nothing_is_advanced_over_twice(int second)
    {
        using var stream = new PixelPoolStream(_allocator);
        stream.GetSpan(100).Fill(1);
        stream.Advance(5);
        if (second == 0)
        {
            stream.Advance(0);
        }
        else
        {
            Assert.Throws<InvalidOperationException>(() => stream.Advance(second));
        }

        Assert.Equal([1, 1, 1, 1, 1], stream.ToArray());
    }

    [Fact]
    public void What_ended_is_told_apart_from_what_is_too_much()
    {
        using var stream = new PixelPoolStream(_allocator);
        int lent = stream.GetMemory(100).Length;
        InvalidOperationException tooMuch = Assert.Throws<InvalidOperationException>(() => stream.Advance(lent + 1));
        Assert.Contains($"by {lent + 1} bytes: the memory has {lent}", tooMuch.Message, StringComparison.Ordinal);
        stream.ReadByte();
        InvalidOperationException ended = Assert.Throws<InvalidOperationException>(() => stream.Advance(1));
        Assert.Contains("directly before Advance", ended.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 0, 1)]
    [InlineData(0, 0, 5 * Block)]
    [InlineData(0, 7, Block)]
    [InlineData(7, 7, Block)]
    [InlineData(7, 7, 3 * Block)]
    [InlineData(7, 3, 3 * Block)]
    [InlineData(7, 100, 3 * Block)]
    [InlineData(Block - 3, Block - 3, 10)]
    [InlineData(Block, Block, 10)]
    [InlineData(Block, Block, Block + 1)]
    [InlineData(3 * Block, Block - 3, 10)]
    [InlineData(3 * Block, Block - 3, 2 * Block)]
    [InlineData(3 * Block, Block - 3, 4 * Block)]
    [InlineData(3 * Block, (5 * Block) + 9, 2 * Block)]
    [InlineData((2 * Block) - 3, (2 * Block) - 3, (2 * Block) + 2)]
    public void Any_part_of_it_becomes_the_stream(int length, int position, int lent)
    {
        byte[] content = new byte[length];
        new Random(1).NextBytes(content);
        byte[] written = new byte[lent];
        new Random(2).NextBytes(written);
        foreach (int count in (int[])[0, 1, lent / 2, lent])
        {
            using (PixelBuffer<byte> dirt = _allocator.Rent<byte>(Block, 12))
            {
                dirt.Fill(0xCC);
            }

            using var model = new MemoryStream();
            using var stream = new PixelPoolStream(_allocator);
            foreach (Stream each in (Stream[])[model, stream])
            {
                each.Write(content);
                each.Position = position;
            }

            Memory<byte> memory = stream.GetMemory(lent);
            Assert.True(memory.Length >= lent);
            written.AsSpan(0, count).CopyTo(memory.Span);
            stream.Advance(count);
            if (count > 0)
            {
                model.Write(written.AsSpan(0, count));
            }

            Assert.Equal((model.Length, model.Position), (stream.Length, stream.Position));
            Assert.InRange(stream.Length, 0, stream.Capacity);
            Assert.True(model.ToArray().AsSpan().SequenceEqual(stream.ToArray()));
            Assert.True(model.ToArray().AsSpan().SequenceEqual(stream.AsReadOnlySequence().ToArray()));

            // What is behind the end serves the next writer, and goes back with the rest.
            stream.SetLength(stream.Length + Block);
            model.SetLength(model.Length + Block);
            Assert.True(model.ToArray().AsSpan().SequenceEqual(stream.ToArray()));
            stream.SetLength(0);
            Assert.Equal((0, 0), (stream.Capacity, _allocator.GetStatistics().RentedBytes));
        }
    }

    [Fact]
    public void A_writer_that_asks_for_much_and_writes_little_does_not_make_the_stream_large()
    {
        using var stream = new PixelPoolStream(_allocator);
        for (int i = 0; i < 50; i++)
        {
            stream.GetSpan(2 * Block)[0] = (byte)i;
            stream.Advance(1);
            stream.Position += i % 2 * (Block / 4);
        }

        Assert.InRange(_allocator.GetStatistics().RentedBytes, stream.Length, stream.Length + (4 * Block));
        Assert.Equal(stream.Capacity, _allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void There_is_no_array_behind_it()
    {
        using var stream = new PixelPoolStream(_allocator);
        foreach (int bytes in (int[])[1, TestSystem.SmallBytes, Block, 2 * Block])
        {
            Assert.False(MemoryMarshal.TryGetArray<byte>(stream.GetMemory(bytes), out _));
            stream.Advance(bytes);
            foreach (ReadOnlyMemory<byte> segment in stream.AsReadOnlySequence())
            {
                Assert.False(MemoryMarshal.TryGetArray(segment, out _));
            }
        }
    }

    /// <summary>From the position on, no memory has so many bytes: <see cref="Memory{T}"/> would have to reach further than 2 GiB from the first block.</summary>
    [Fact]
    public void It_may_have_nearly_2_GiB_wherever_the_stream_is()
    {
        const int Bytes = int.MaxValue - 5;
        using PixelAllocator allocator = PixelAllocator.Create();
        using var stream = new PixelPoolStream(allocator);
        stream.Write([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        Memory<byte> lent = stream.GetMemory(Bytes);
        Assert.InRange(lent.Length, Bytes, int.MaxValue);
        lent.Span[0] = 11;
        lent.Span[Bytes - 1] = 12;
        stream.Advance(1);
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], stream.ToArray());
    }

    [Fact]
    public void It_can_be_written_to_the_stream()
    {
        using var stream = new PixelPoolStream(_allocator);
        stream.SetLength(Block - 3);
        stream.Position = Block - 3;
        Span<byte> lent = stream.GetSpan(10);
        lent.Fill(9);
        stream.Write(lent.Slice(0, 10));
        Assert.Equal(Enumerable.Repeat((byte)9, 10), stream.ToArray()[^10..]);
        Assert.Throws<InvalidOperationException>(() => stream.Advance(1));
    }
}
