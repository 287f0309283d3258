#if !NET
using System.Buffers;

namespace System.IO;

/// <summary>What streams of netstandard2.0 do not have: they know arrays only.</summary>
internal static class StreamExtensions
{
    private const int CopyBytes = 80 * 1024;

    public static void ReadExactly(this Stream source, Span<byte> bytes)
    {
        byte[] copy = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            while (!bytes.IsEmpty)
            {
                int count = source.Read(copy, 0, Math.Min(copy.Length, bytes.Length));
                Check(count, Math.Min(copy.Length, bytes.Length));
                copy.AsSpan(0, count).CopyTo(bytes);
                bytes = bytes.Slice(count);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    public static async ValueTask ReadExactlyAsync(this Stream source, Memory<byte> bytes, CancellationToken cancellationToken)
    {
        byte[] copy = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            while (!bytes.IsEmpty)
            {
                int count = await source.ReadAsync(copy, 0, Math.Min(copy.Length, bytes.Length), cancellationToken).ConfigureAwait(false);
                Check(count, Math.Min(copy.Length, bytes.Length));
                copy.AsSpan(0, count).CopyTo(bytes.Span);
                bytes = bytes.Slice(count);
            }
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

    // A stream may be anybody's: one that says that it read more than it was given room for must not be believed.
    private static void Check(int count, int most)
    {
        if (count <= 0)
        {
            throw new EndOfStreamException();
        }

        if (count > most)
        {
            throw new IOException("The stream says that it has read more bytes than it was asked for.");
        }
    }
}
#endif
