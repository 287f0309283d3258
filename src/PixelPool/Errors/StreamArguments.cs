namespace PixelPool;

/// <summary>What streams are called with: looked at as <see cref="MemoryStream"/> does.</summary>
internal static class StreamArguments
{
    /// <summary>A part of an array: a span or memory, as the stream needs it.</summary>
    /// <exception cref="ArgumentException">The array is null, or does not have the range.</exception>
    public static ArraySegment<byte> Range(byte[] buffer, int offset, int count)
    {
        Throw.IfNull(buffer, nameof(buffer));
        Throw.IfNegative(offset, nameof(offset));
        Throw.IfNegative(count, nameof(count));
        if (count > buffer.Length - offset)
        {
            Throw.OutOfRange(nameof(count), count, "The range goes past the end of the array.");
        }

        return new ArraySegment<byte>(buffer, offset, count);
    }

    /// <exception cref="ArgumentException">The origin is unknown.</exception>
    /// <exception cref="IOException">There is no such position.</exception>
    public static long FindPosition(long offset, SeekOrigin origin, long position, long length)
    {
        long start = origin switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => position,
            SeekOrigin.End => length,
            _ => throw new ArgumentException("The origin is unknown.", nameof(origin)),
        };
        if (offset > long.MaxValue - start || start + offset < 0)
        {
            throw new IOException("The position must be between the beginning of the stream and 2⁶³ - 1 bytes.");
        }

        return start + offset;
    }
}
