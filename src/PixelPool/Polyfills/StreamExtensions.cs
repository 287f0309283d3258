#if !NET
using System.Buffers;

namespace System.IO;

/// <summary>What streams of netstandard2.0 do not have: they know arrays only.</summary>
internal static class StreamExtensions
{
    private const int CopyBytes = 80 * 1024;

    public static int Read(this Stream source, Span<byte> buffer)
    {
        int most = Math.Min(buffer.Length, CopyBytes);
        byte[] copy = ArrayPool<byte>.Shared.Rent(most);
        try
        {
            int count = source.Read(copy, 0, most);
            Read(copy, count, most).CopyTo(buffer);
            return count;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    public static async ValueTask<int> ReadAsync(this Stream source, Memory<byte> buffer, CancellationToken cancellationToken)
    {
        int most = Math.Min(buffer.Length, CopyBytes);
        byte[] copy = ArrayPool<byte>.Shared.Rent(most);
        try
        {
            int count = await source.ReadAsync(copy, 0, most, cancellationToken).ConfigureAwait(false);
            Read(copy, count, most).CopyTo(buffer.Span);
            return count;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    public static void Write(this Stream destination, ReadOnlySpan<byte> bytes)
    {
        byte[] copy = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            while (!bytes.IsEmpty)
            {
                int count = Math.Min(copy.Length, bytes.Length);
                bytes.Slice(0, count).CopyTo(copy);
                destination.Write(copy, 0, count);
                bytes = bytes.Slice(count);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    public static async ValueTask WriteAsync(this Stream destination, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        byte[] copy = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            while (!bytes.IsEmpty)
            {
                int count = Math.Min(copy.Length, bytes.Length);
                bytes.Span.Slice(0, count).CopyTo(copy);
                await destination.WriteAsync(copy, 0, count, cancellationToken).ConfigureAwait(false);
                bytes = bytes.Slice(count);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    // What a stream says that it has read, if that can be.
    private static Span<byte> Read(byte[] copy, int count, int most)
    {
        if (count > most)
        {
            PixelPool.Throw.ReadTooMuch(count, most);
        }

        return copy.AsSpan(0, Math.Max(0, count));
    }
}
#endif
