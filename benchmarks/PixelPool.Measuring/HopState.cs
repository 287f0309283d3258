using System.Runtime.InteropServices;

namespace PixelPool.Measuring;

/// <summary>What two threads of a <see cref="HopMeter"/> write by turns, and what they are asked, each on cache lines of its own.</summary>
[StructLayout(LayoutKind.Explicit, Size = 384)]
internal struct HopState
{
    [FieldOffset(128)]
    public bool IsAsked;

    [FieldOffset(256)]
    public long Hops;
}
