using System.Buffers;
using System.Runtime.InteropServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>A stream that writes what it has itself, to another place: the bytes are read before they are overwritten, or returned.</summary>
public sealed class OwnBytesTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    // Blocks side by side are exactly as many as are asked for.
    private readonly TestSystem _system = new(divisible: true);
    private readonly PixelAllocator _allocator;

    public OwnBytesTests() => _allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 6 * Block);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        Assert.Equal((0, 0), (statistics.RentedBytes, statistics.ChargedBytes));
        StatisticsAssert.Balanced(statistics);
        _allocator.Dispose();
        _system.Dispose();
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

    [Theory]
    [InlineData(61_000)]
    [InlineData(2 * Block)]
    public void What_it_had_to_wait_for_is_room_of_the_stream_in_one_piece(int count)
    {
        _system.Time.FireNewTimersAtOnce = false;
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.MaxRentedBytes = 5 * Block;
            options.RentTimeout = TimeSpan.FromSeconds(1);
        });
        PixelBuffer<byte> others = allocator.Rent<byte>(Block, 3);
        _system.Time.OnTimerCreated = _ => others.Dispose();
        byte[] expected = new byte[3000 + count];
        new Random(count).NextBytes(expected);
        using var stream = new PixelPoolStream(allocator);
        stream.Write(expected.AsSpan(0, 3000));
        Memory<byte> lent = stream.GetMemory(2 * Block);
        Assert.Equal((3 * Block, 3 * Block), (allocator.GetStatistics().RentedBytes, stream.Capacity));
        expected.AsSpan(3000).CopyTo(lent.Span);
        stream.Advance(0);

        // Still so: it would have to wait for itself.
        lent = stream.GetMemory(2 * Block);
        Assert.Equal(3 * Block, allocator.GetStatistics().RentedBytes);
        stream.Write(lent.Span[..count]);
        Assert.Equal(expected, stream.ToArray());
        Assert.Equal(expected, stream.AsReadOnlySequence().ToArray());
        Assert.True(stream.Capacity >= stream.Length);
    }

    [Theory]
    [InlineData(false, 0, 10, Block)]
    [InlineData(false, 0, Block - 10, Block)]
    [InlineData(false, Block, Block - 10, Block)]
    [InlineData(false, 100, Block + 200, Block - 100)]
    [InlineData(false, 100, Block - 1, 5)]
    [InlineData(true, 0, 10, 2 * Block)]
    [InlineData(true, 0, Block + 10, 2 * Block)]
    [InlineData(true, Block / 2, 10, 2 * Block)]
    [InlineData(true, 10, (2 * Block) + 10, Block)]
    public void Bytes_of_a_stream_are_moved_within_it_as_in_a_memory_stream(bool areSideBySide, int from, int to, int count)
    {
        byte[] expected = new byte[4 * Block];
        new Random(count).NextBytes(expected.AsSpan(0, 3 * Block));
        using var stream = new PixelPoolStream(_allocator);
        if (areSideBySide)
        {
            // What is lent in one rent becomes the next pieces, in place.
            expected.AsSpan(0, 3 * Block).CopyTo(stream.GetSpan(3 * Block));
            stream.Advance(3 * Block);
        }
        else
        {
            stream.Write(expected.AsSpan(0, 3 * Block));
        }

        ReadOnlySpan<byte> first = stream.AsReadOnlySequence().Slice(from).FirstSpan;
        stream.SetLength(4 * Block);
        stream.Position = to;
        stream.Write(areSideBySide ? MemoryMarshal.CreateReadOnlySpan(in first[0], count) : first[..count]);
        expected.AsSpan(from, count).CopyTo(expected.AsSpan(to));
        Assert.Equal(expected, stream.ToArray());
    }

    /// <summary>However many pieces that are: a thread with little stack does it.</summary>
    [Fact]
    [Trait("Category", "Long")]
    public void Bytes_in_thousands_of_pieces_are_moved_too()
    {
        const int Pieces = 2_000;
        const int Bytes = Pieces * Block;
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { BlockBytes = Block, MaxPooledBytes = 2L * Bytes });
        using var stream = new PixelPoolStream(allocator);

        // A number of its own for each of so many bytes: neighbouring pieces begin with others.
        const int Period = 251;
        byte[] numbers = [.. Enumerable.Range(0, Block + Period).Select(static i => (byte)(i % Period))];
        for (Span<byte> rest = stream.GetSpan(Bytes)[..Bytes]; !rest.IsEmpty; rest = rest[Math.Min(rest.Length, Period * 256)..])
        {
            numbers.AsSpan(0, Math.Min(rest.Length, Period * 256)).CopyTo(rest);
        }

        stream.Advance(Bytes);
        var thread = new Thread(
            () =>
            {
                ReadOnlySpan<byte> first = stream.AsReadOnlySequence().FirstSpan;
                stream.Position = 10;
                stream.Write(MemoryMarshal.CreateReadOnlySpan(in first[0], Bytes));
            },
            maxStackSize: 256 << 10);
        thread.Start();
        thread.Join();
        Assert.Equal((Bytes + 10L, Bytes + 10L), (stream.Length, stream.Position));
        stream.Position = 0;
        byte[] part = new byte[Block];
        stream.ReadExactly(part, 0, 10);
        Assert.Equal(numbers[..10], part[..10]);
        for (int i = 0, read = 1; i < Bytes; i += read)
        {
            read = stream.Read(part);
            Assert.True(part.AsSpan(0, read).SequenceEqual(numbers.AsSpan(i % Period, read)), $"at {i}");
        }
    }

    /// <summary>They are read apart, in an array that whoever allocates next gets as it is.</summary>
    [Fact]
    public void Nothing_of_them_stays_in_the_managed_heap()
    {
        ulong secret = (ulong)Random.Shared.NextInt64() | 1;
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.ClearOnReturn = true);
        int found = 0;
        for (int round = 0; round < 10; round++)
        {
            using var stream = new PixelPoolStream(allocator);
            MemoryMarshal.Cast<byte, ulong>(stream.GetSpan(4 * Block)).Fill(secret);
            stream.Advance(4 * Block);
            ReadOnlySpan<byte> first = stream.AsReadOnlySequence().FirstSpan;
            stream.Position = Block + 16;
            stream.Write(MemoryMarshal.CreateReadOnlySpan(in first[0], 2 * Block));
            GC.Collect();
            for (int i = 0; i < 10; i++)
            {
                found += GC.AllocateUninitializedArray<ulong>(2 * Block / sizeof(ulong)).AsSpan().Count(secret);
            }
        }

        Assert.Equal(0, found);
    }

    [Fact]
    public async Task It_may_write_that_later_too()
    {
        using var stream = new PixelPoolStream(_allocator);
        byte[] content = new byte[TestSystem.SmallBytes - 1];
        new Random(1).NextBytes(content);
        stream.Write(content);
        await stream.WriteAsync(stream.AsReadOnlySequence().First[..1000], Token);
        Assert.Equal(content[..1000], stream.ToArray()[^1000..]);
    }
}
