#if !NET
using PixelPool;

namespace System.IO;

/// <summary>What streams of netstandard2.0 do not have: they know arrays only.</summary>
internal static class StreamExtensions
{
    public static int Read(this Stream source, Span<byte> buffer)
    {
        using var copy = new StreamCopy(buffer.Length);
        return Take(copy, source.Read(copy.Bytes, 0, copy.Length), buffer);
    }

    public static async ValueTask<int> ReadAsync(this Stream source, Memory<byte> buffer, CancellationToken cancellationToken)
    {
        using var copy = new StreamCopy(buffer.Length);
        return Take(copy, await source.ReadAsync(copy.Bytes, 0, copy.Length, cancellationToken).ConfigureAwait(false), buffer.Span);
    }

    public static void Write(this Stream destination, ReadOnlySpan<byte> bytes)
    {
        using var copy = new StreamCopy(bytes.Length);
        while (!bytes.IsEmpty)
        {
            int count = Fill(copy, bytes);
            destination.Write(copy.Bytes, 0, count);
            bytes = bytes.Slice(count);
        }
    }

    public static async ValueTask WriteAsync(this Stream destination, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        using var copy = new StreamCopy(bytes.Length);
        while (!bytes.IsEmpty)
        {
            int count = Fill(copy, bytes.Span);
            await destination.WriteAsync(copy.Bytes, 0, count, cancellationToken).ConfigureAwait(false);
            bytes = bytes.Slice(count);
        }
    }

    // The first bytes, for a stream that is written.
    private static int Fill(StreamCopy copy, ReadOnlySpan<byte> source)
    {
        int count = Math.Min(copy.Length, source.Length);
        source.Slice(0, count).CopyTo(copy.Bytes);
        return count;
    }

    // What a stream says that it has read, if that can be.
    private static int Take(StreamCopy copy, int count, Span<byte> destination)
    {
        if (count > copy.Length)
        {
            Throw.ReadTooMuch(count, copy.Length);
        }

        copy.Bytes.AsSpan(0, Math.Max(0, count)).CopyTo(destination);
        return count;
    }
}
#endif
