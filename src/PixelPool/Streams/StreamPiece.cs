using PixelPool.Pooling;

namespace PixelPool;

/// <summary>A piece of the memory of a stream, with what was lent of it. Both end when it is disposed.</summary>
/// <param name="lease">The memory.</param>
internal sealed class StreamPiece(PixelLease<byte> lease) : IDisposable
{
    public readonly PixelLease<byte> Lease = lease;

    private StreamMemory? _memory;

    /// <summary>What there is where a piece was returned.</summary>
    public static StreamPiece None { get; } = new(default);

    /// <summary>From the piece on as far as its memory reaches. Made when somebody takes memory of it first.</summary>
    public Memory<byte> Memory => (_memory ??= Lease.LendBytes()).Memory;

    public void CopyFrom(int offset, ReadOnlySpan<byte> bytes)
    {
        using PixelReference<byte> pixels = Lease.Hold(out PixelLayout layout);
        bytes.CopyTo(pixels.Access().GetRowSpan(0).Slice(offset));
    }

    public void CopyTo(int offset, Span<byte> bytes)
    {
        using PixelReference<byte> pixels = Lease.Hold(out PixelLayout layout);
        pixels.Access().GetRowSpan(0).Slice(offset, bytes.Length).CopyTo(bytes);
    }

    public bool Overlaps(int offset, int count, ReadOnlySpan<byte> bytes)
    {
        using PixelReference<byte> pixels = Lease.Hold(out PixelLayout layout);
        return bytes.Overlaps(pixels.Access().GetRowSpan(0).Slice(offset, count));
    }

    public void Dispose()
    {
        _memory?.End();

        // A scope that ends may have returned its pieces already, or does so now.
        Lease.EndUnlessEnded();
    }
}
