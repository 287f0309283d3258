using System.Buffers;
using System.Runtime.InteropServices;
using PixelPool.Tests.Stress;

namespace PixelPool.Tests.Buffers;

/// <summary>The pixels as a stream, which behaves as a <see cref="MemoryStream"/> over an array.</summary>
public class PixelStreamTests
{
    // What streams copy at once, unless they are told.
    private const int DefaultCopyBytes = 81_920;

    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>Whatever is called, in any order: the same bytes, positions and exceptions.</summary>
    [Theory]
    [MemberData(nameof(AllTiers))]
    [Trait("Category", "Long")]
    public void It_does_what_a_stream_over_an_array_does(MemoryTier tier)
    {
        var random = new Random(StressTime.Seed());
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, tier))
        {
            PixelPattern.Write(image);
            byte[] bytes = new byte[3 * image.Width * image.Height];
            image.WriteTo(new MemoryStream(bytes));
            using var expected = new MemoryStream(bytes);
            using Stream actual = image.AsStream();
            Assert.Equal((true, true, true), (actual.CanRead, actual.CanWrite, actual.CanSeek));
            for (int i = 0; i < 2_000; i++)
            {
                Func<Stream, object?> call = Choose(random, bytes.Length);
                Assert.Equal(Outcome(expected, call), Outcome(actual, call));
                Assert.Equal((expected.Position, expected.Length), (actual.Position, actual.Length));
            }

            byte[] now = new byte[bytes.Length];
            image.WriteTo(new MemoryStream(now));
            Assert.Equal(bytes, now);
        }

        TierSizes.AssertQuiet(allocator);
    }

    /// <summary>What is written or read may be the image's own bytes, before or behind.</summary>
    [Theory]
    [InlineData(0, 4, 8)]
    [InlineData(0, 10, 20)]
    [InlineData(10, 3, 20)]
    [InlineData(0, 0, 32)]
    [InlineData(9, 8, 17)]
    public void Its_own_bytes_are_moved_as_in_a_memory_stream(int from, int to, int count)
    {
        byte[] expected = new byte[8 * 5];
        new Random(count).NextBytes(expected);
        byte[] original = [.. expected];
        expected.AsSpan(from, count).CopyTo(expected.AsSpan(to));
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions());
        using PixelBuffer<byte> image = allocator.Rent<byte>(8, 5);
        using Stream stream = image.AsStream();
        foreach (bool writes in (bool[])[true, false])
        {
            image.CopyFrom(original);
            Assert.True(image.TryProcessSinglePixelSpan(all =>
            {
                stream.Position = writes ? to : from;
                if (writes)
                {
                    stream.Write(all.Slice(from, count));
                }
                else
                {
                    Assert.Equal(count, stream.Read(all.Slice(to, count)));
                }
            }));
            Assert.Equal((writes ? to : from) + count, stream.Position);
            byte[] actual = new byte[expected.Length];
            image.CopyTo(actual);
            Assert.Equal(expected, actual);
        }
    }

    /// <summary>As <see cref="Stream.CopyTo(Stream)"/> does it, whoever rents an array next would have the pixels.</summary>
    [Theory]
    [MemberData(nameof(AllTiers))]
    [Trait("Library", "Net10")]
    public async Task What_is_copied_to_another_stream_stays_in_no_array(MemoryTier tier)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.RowAlignmentBytes = 64;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, tier, rowAlignmentBytes: 64);
        image.Fill(new Rgb24(0xB7, 0xB7, 0xB7));
        foreach (bool isAsynchronous in (bool[])[true, false])
        {
            using Stream stream = image.AsStream();
            stream.Position = 5;
            using var target = new MemoryStream();
            if (isAsynchronous)
            {
                await stream.CopyToAsync(target, Token);
            }
            else
            {
                stream.CopyTo(target);
            }

            Assert.Equal((stream.Length, stream.Length - 5), (stream.Position, target.Length));
            Assert.All(target.ToArray(), static value => Assert.Equal(0xB7, value));
            // Whoever rents next gets that array, or one that others left: single bytes of the same value may be in that.
            byte[] next = ArrayPool<byte>.Shared.Rent(DefaultCopyBytes);
            Assert.Equal(-1, next.AsSpan(0, DefaultCopyBytes).IndexOf((ReadOnlySpan<byte>)[0xB7, 0xB7, 0xB7, 0xB7, 0xB7, 0xB7, 0xB7, 0xB7]));
            ArrayPool<byte>.Shared.Return(next);
        }
    }

    /// <summary>The other stream is the application's: it may throw, or end the one that is copied.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Library", "Net10")]
    public async Task A_copy_that_fails_leaves_nothing_in_an_array_either(bool disposes)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using (PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks))
        {
            image.Fill(0x9E9E9E9E);
            foreach (bool isAsynchronous in (bool[])[true, false])
            {
                using Stream stream = image.AsStream();
                using var target = new FailingStream(disposes ? stream : null);
                Exception? failure = await Record.ExceptionAsync(() => isAsynchronous ? stream.CopyToAsync(target, Token) : Task.Run(() => stream.CopyTo(target), Token));
                Assert.IsType(disposes ? typeof(ObjectDisposedException) : typeof(IOException), failure);
                Assert.Equal(1, target.Writes);
                Assert.Equal(-1, target.Array.AsSpan(0, DefaultCopyBytes).IndexOf((byte)0x9E));
            }
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public async Task Asynchronous_calls_do_the_same()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks);
        using PixelBuffer<uint> copy = allocator.Rent<uint>(image.Width, image.Height);
        PixelPattern.Write(image);
        using Stream source = image.AsStream();
        using Stream target = copy.AsStream();
        await source.CopyToAsync(target, Token);
        PixelPattern.AssertHolds(copy);
        Assert.Equal(0, await source.ReadAsync(new byte[5], Token));
        await Assert.ThrowsAsync<NotSupportedException>(async () => await target.WriteAsync(new byte[1], Token));
        await Assert.ThrowsAsync<NotSupportedException>(() => target.WriteAsync(new byte[1], 0, 1, Token));
        var cancelled = new CancellationToken(canceled: true);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => _ = await source.ReadAsync(new byte[5], cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await source.WriteAsync(new byte[5], cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => source.FlushAsync(cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => copy.AsStream().CopyToAsync(Stream.Null, cancelled));
        await source.FlushAsync(Token);
        source.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => source.CopyToAsync(target, Token));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => _ = await source.ReadAsync(new byte[5], Token));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await source.WriteAsync(new byte[5], Token));
    }

    [Fact]
    public void The_memory_lives_until_the_stream_is_disposed()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
        image.Fill(0x05050505);
        Stream stream = image.AsStream();
        image.Dispose();
        Assert.Equal(5, stream.ReadByte());
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        stream.Dispose();
        stream.Dispose();
        TierSizes.AssertQuiet(allocator);
        Assert.Equal((false, false, false), (stream.CanRead, stream.CanWrite, stream.CanSeek));
        Assert.Throws<ObjectDisposedException>(() => stream.Length);
        Assert.Throws<ObjectDisposedException>(() => stream.Position);
        Assert.Throws<ObjectDisposedException>(() => stream.Position = 0);
        Assert.Throws<ObjectDisposedException>(() => stream.ReadByte());
        Assert.Throws<ObjectDisposedException>(() => stream.WriteByte(0));
        Assert.Throws<ObjectDisposedException>(() => stream.SetLength(0));
        Assert.Throws<ObjectDisposedException>(() => stream.Seek(0, SeekOrigin.Begin));
        Assert.Throws<ObjectDisposedException>(() => image.AsStream());
    }

    /// <summary>Bytes beside a view are neither read nor written.</summary>
    [Fact]
    public void Of_a_view_it_has_the_bytes_of_its_rows()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<byte> image = allocator.Rent<byte>(10, 10, AllocationOptions.Clean);
        using PixelBuffer<byte> view = image.View(2, 3, 4, 5);
        using Stream stream = view.AsStream();
        Assert.Equal(20, stream.Length);
        stream.Write([.. Enumerable.Range(1, 20).Select(static i => (byte)i)]);
        Assert.Equal((1, 4, 5, 20), (image[2, 3], image[5, 3], image[2, 4], image[5, 7]));
        image.ProcessPixelRows(static rows =>
        {
            int sum = 0;
            foreach (Span<byte> row in rows)
            {
                foreach (byte value in row)
                {
                    sum += value;
                }
            }

            Assert.Equal(210, sum);
        });
    }

    /// <summary>A debugger shows it, or another thread says how far the reading has come.</summary>
    [Fact]
    public void Looking_at_the_position_does_not_move_it()
    {
        const int Bytes = 2 * 300;
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<byte> image = allocator.Rent<byte>(100, 300, AllocationOptions.Clean);
        using PixelBuffer<byte> view = image.View(0, 0, 2, 300);
        using Stream stream = view.AsStream();
        byte[] bytes = new byte[Bytes];
        bool isOver = false;
        Simultaneously.Run(2, index =>
        {
            // Row by row: each call moves it 300 times.
            for (int round = 0; index == 0 && round < 2_000; round++)
            {
                stream.Position = 0;
                Assert.Equal((Bytes, (long)Bytes), (stream.Read(bytes, 0, Bytes), stream.Position));
            }

            while (index == 1 && !Volatile.Read(ref isOver))
            {
                Assert.InRange(stream.Position, 0, Bytes);
            }

            Volatile.Write(ref isOver, true);
        });
        Assert.Equal(-1, stream.ReadByte());
    }

    [Fact]
    public void What_does_not_fit_says_so()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<byte> image = allocator.Rent<byte>(10, 10, AllocationOptions.Clean);
        using Stream stream = image.AsStream();
        stream.Position = 95;
        Assert.Equal("The image has 100 bytes: a stream over it always has as many.", Assert.Throws<NotSupportedException>(() => stream.Write(new byte[6], 0, 6)).Message);
        Assert.Throws<NotSupportedException>(() => stream.SetLength(99));
        stream.Position = 150;
        stream.SetLength(100);
        Assert.Equal(100, stream.Position);
        stream.Position = 95;
        Assert.Throws<ArgumentOutOfRangeException>("value", () => stream.SetLength(-1));
        Assert.Throws<NotSupportedException>(() => image.AsReadOnly().AsStream().SetLength(100));
        Assert.Equal(95, stream.Position);
        Assert.Equal(0, image[5, 9]);
    }

    private static Func<Stream, object?> Choose(Random random, int length)
    {
        int offset = random.Next(-2, 20);
        int count = random.Next(-2, random.Next(10) == 0 ? length + 10 : 300);
        long position = random.Next(4) == 0 ? random.Next(-5, 5) + length : random.Next(length);
        byte value = (byte)random.Next(256);
        byte[] data = new byte[Math.Max(0, offset) + Math.Max(0, count) - (random.Next(20) == 0 ? 1 : 0) + 1];
        random.NextBytes(data);
        return random.Next(9) switch
        {
            0 => stream => stream.Position = position,
            1 => stream => stream.Seek(position - length, SeekOrigin.End),
            2 => stream => stream.Seek(count, SeekOrigin.Current),
            3 => static stream => stream.ReadByte(),
            4 => stream => Do(() => stream.WriteByte(value)),
            5 => stream => Read(data, copy => stream.Read(copy, offset, count)),
            6 => stream => Do(() => stream.Write(data, offset, count)),
            7 => stream => Read(data, copy => stream.Read(copy.AsSpan())),
            _ => stream => Do(() => stream.Write(data.AsSpan())),
        };
    }

    private static object Outcome(Stream stream, Func<Stream, object?> call)
    {
        try
        {
            return call(stream) ?? "nothing";
        }
        catch (Exception e)
        {
            return e.GetType();
        }
    }

    private static object? Do(Action action)
    {
        action();
        return null;
    }

    private static string Read(byte[] data, Func<byte[], int> read)
    {
        byte[] copy = [.. data];
        return $"{read(copy)}: {Convert.ToHexString(copy)}";
    }

    /// <summary>Keeps the array that it was given, and throws, or ends another stream.</summary>
    private sealed class FailingStream(Stream? ended) : MemoryStream
    {
        public int Writes { get; private set; }

        public byte[] Array { get; private set; } = [];

        public override void Write(byte[] buffer, int offset, int count)
        {
            Writes++;
            Array = buffer;
            Assert.Contains((byte)0x9E, buffer);
            if (ended is null)
            {
                throw new IOException();
            }

            ended.Dispose();
        }

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            Assert.True(MemoryMarshal.TryGetArray(buffer, out ArraySegment<byte> range));
            Write(range.Array!, range.Offset, range.Count);
        }
    }
}
