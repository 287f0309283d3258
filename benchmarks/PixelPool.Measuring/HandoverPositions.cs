using System.Runtime.InteropServices;

namespace PixelPool.Measuring;

/// <summary>How far the two ends of a ring are, each on cache lines of its own, with what it saw last of the other.</summary>
[StructLayout(LayoutKind.Explicit, Size = 384)]
internal struct HandoverPositions
{
    [FieldOffset(128)]
    public long Sent;

    [FieldOffset(136)]
    public long SeenDone;

    [FieldOffset(256)]
    public long Done;

    [FieldOffset(264)]
    public long SeenSent;
}
