#if !NET
using PixelPool;

namespace System.IO;

/// <summary>What streams of netstandard2.0 do not have: they know arrays only.</summary>
internal static class StreamExtensions
{
    public static int Read(this Stream source, Span<byte> buffer)
    {
        using var copy = new StreamCopy(buffer.Length);
        return copy.Take(source.Read(copy.Bytes, 0, copy.Length), buffer);
    }

    public static async ValueTask<int> ReadAsync(this Stream source, Memory<byte> buffer, CancellationToken cancellationToken)
    {
        using var copy = new StreamCopy(buffer.Length);
        return copy.Take(await source.ReadAsync(copy.Bytes, 0, copy.Length, cancellationToken).ConfigureAwait(false), buffer.Span);
    }

    public static void Write(this Stream destination, ReadOnlySpan<byte> bytes)
    {
        using var copy = new StreamCopy(bytes.Length);
        while (!bytes.IsEmpty)
        {
            int count = copy.Fill(bytes);
            destination.Write(copy.Bytes, 0, count);
            bytes = bytes.Slice(count);
        }
    }

    public static async ValueTask WriteAsync(this Stream destination, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        using var copy = new StreamCopy(bytes.Length);
        while (!bytes.IsEmpty)
        {
            int count = copy.Fill(bytes.Span);
            await destination.WriteAsync(copy.Bytes, 0, count, cancellationToken).ConfigureAwait(false);
            bytes = bytes.Slice(count);
        }
    }
}
#endif
