#if !NET
using System.Buffers;

namespace System.IO;

/// <summary>What streams of netstandard2.0 do not have: they know arrays only.</summary>
/// <remarks>Nobody sees pixels in an array that others get later: what was copied is cleared, and arrays of this length lie where the collector does not move them.</remarks>
internal static class StreamExtensions
{
    private const int CopyBytes = 128 * 1024;

    public static int Read(this Stream source, Span<byte> buffer)
    {
        int most = Math.Min(buffer.Length, CopyBytes);
        byte[] copy = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            int count = source.Read(copy, 0, most);
            Read(copy, count, most).CopyTo(buffer);
            return count;
        }
        finally
        {
            Return(copy, most);
        }
    }

    public static async ValueTask<int> ReadAsync(this Stream source, Memory<byte> buffer, CancellationToken cancellationToken)
    {
        int most = Math.Min(buffer.Length, CopyBytes);
        byte[] copy = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            int count = await source.ReadAsync(copy, 0, most, cancellationToken).ConfigureAwait(false);
            Read(copy, count, most).CopyTo(buffer.Span);
            return count;
        }
        finally
        {
            Return(copy, most);
        }
    }

    public static void Write(this Stream destination, ReadOnlySpan<byte> bytes)
    {
        int most = Math.Min(bytes.Length, CopyBytes);
        byte[] copy = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            while (!bytes.IsEmpty)
            {
                int count = Math.Min(most, bytes.Length);
                bytes.Slice(0, count).CopyTo(copy);
                destination.Write(copy, 0, count);
                bytes = bytes.Slice(count);
            }
        }
        finally
        {
            Return(copy, most);
        }
    }

    public static async ValueTask WriteAsync(this Stream destination, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        int most = Math.Min(bytes.Length, CopyBytes);
        byte[] copy = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            while (!bytes.IsEmpty)
            {
                int count = Math.Min(most, bytes.Length);
                bytes.Span.Slice(0, count).CopyTo(copy);
                await destination.WriteAsync(copy, 0, count, cancellationToken).ConfigureAwait(false);
                bytes = bytes.Slice(count);
            }
        }
        finally
        {
            Return(copy, most);
        }
    }

    private static void Return(byte[] copy, int most)
    {
        Array.Clear(copy, 0, most);
        ArrayPool<byte>.Shared.Return(copy);
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
