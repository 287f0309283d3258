using System.Buffers;
using System.Runtime.InteropServices;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Allocation;

/// <summary>With ClearOnReturn no pixel stays in arrays that were copied through.</summary>
public sealed class ClearedCopiesTests
{
    [Fact]
    public async Task Streams_leave_no_pixels_in_the_arrays_of_others()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ClearOnReturn = true });
        byte[] secret = new byte[sizeof(ulong)];
        Random.Shared.NextBytes(secret);
        ulong word = MemoryMarshal.Read<ulong>(secret);
        using (var stream = new SecretStream(secret))
        using (PixelBuffer<ulong> image = allocator.Rent<ulong>(100, 100))
        {
            image.Fill(word);
            image.WriteTo(stream);
            await image.WriteToAsync(stream, cancellationToken: TestContext.Current.CancellationToken);
            image.ReadFrom(stream);
            await image.ReadFromAsync(stream, cancellationToken: TestContext.Current.CancellationToken);
            Assert.Equal(word, image[99, 99]);
        }

        int found = 0;
        for (int length = 16; length <= 1 << 20; length *= 2)
        {
            byte[][] arrays = [.. Enumerable.Range(0, 40).Select(_ => ArrayPool<byte>.Shared.Rent(length))];
            found += arrays.Count(array => HasPixels(MemoryMarshal.Cast<byte, ulong>(array), word));
            Array.ForEach(arrays, static array => ArrayPool<byte>.Shared.Return(array));
        }

        Assert.Equal(0, found);
        TierSizes.AssertQuiet(allocator);
    }

    // Several in a row: the collector moves the arrays and closures of this test, too, and what they leave behind holds the word once.
    private static bool HasPixels(ReadOnlySpan<ulong> words, ulong word)
    {
        int inARow = 0;
        for (int i = 0; i < words.Length && inARow < 4; i++)
        {
            inARow = words[i] == word ? inARow + 1 : 0;
        }

        return inARow == 4;
    }

    // Keeps nothing of what is written: a new array may lie where an old one lay.
    private sealed class SecretStream(byte[] secret) : Stream
    {
        private long _position;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Flush()
        {
        }

        public override int Read(Span<byte> buffer)
        {
            for (int i = 0; i < buffer.Length; i++)
            {
                buffer[i] = secret[_position++ % secret.Length];
            }

            return buffer.Length;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            Task.FromResult(Read(buffer.AsSpan(offset, count)));

        public override void Write(ReadOnlySpan<byte> buffer)
        {
        }

        public override void Write(byte[] buffer, int offset, int count)
        {
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => default;

        public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => Task.CompletedTask;

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}
