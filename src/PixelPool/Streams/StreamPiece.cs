using PixelPool.Pooling;

namespace PixelPool;

/// <summary>A piece of the memory of a stream, with what was lent of it. Both end when it is disposed.</summary>
/// <param name="lease">The memory.</param>
internal struct StreamPiece(PixelLease<byte> lease) : IDisposable
{
    public readonly PixelLease<byte> Lease = lease;

    /// <summary>Made when somebody takes memory of it first.</summary>
    public StreamMemory? Memory;

    public static void CopyFrom(in PixelLease<byte> lease, int offset, ReadOnlySpan<byte> bytes)
    {
        using PixelReference<byte> pixels = lease.Hold(out PixelLayout layout);
        bytes.CopyTo(pixels.Access().GetRowSpan(0).Slice(offset));
    }

    public static void CopyTo(in PixelLease<byte> lease, int offset, Span<byte> bytes)
    {
        using PixelReference<byte> pixels = lease.Hold(out PixelLayout layout);
        pixels.Access().GetRowSpan(0).Slice(offset, bytes.Length).CopyTo(bytes);
    }

    public readonly void Dispose()
    {
        Memory?.End();

        // A scope that ends may have returned its pieces already, or does so now.
        Lease.EndUnlessEnded();
    }
}
