using System.Buffers;

namespace PixelPool;

/// <summary>An array between a stream and memory that is none, or that has gaps between its rows.</summary>
/// <remarks>Nobody sees pixels in an array that others get later: what was copied is cleared, and arrays of this length lie where the collector does not move them.</remarks>
/// <param name="bytes">How many are to be copied, at once or one part after the other.</param>
internal readonly struct StreamCopy(int bytes) : IDisposable
{
    private const int MostBytes = 128 * 1024;

    public byte[] Bytes { get; } = ArrayPool<byte>.Shared.Rent(MostBytes);

    /// <summary>How many bytes are copied at once.</summary>
    public int Length { get; } = Math.Min(bytes, MostBytes);

    public void Dispose()
    {
        Array.Clear(Bytes, 0, Length);
        ArrayPool<byte>.Shared.Return(Bytes);
    }
}
