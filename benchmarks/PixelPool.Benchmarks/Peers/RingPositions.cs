using System.Runtime.InteropServices;

namespace PixelPool.Benchmarks.Peers;

/// <summary>How far the two ends of a ring are, each on cache lines of its own.</summary>
[StructLayout(LayoutKind.Explicit, Size = 384)]
internal struct RingPositions
{
    [FieldOffset(128)]
    public long Sent;

    [FieldOffset(256)]
    public long Returned;
}
