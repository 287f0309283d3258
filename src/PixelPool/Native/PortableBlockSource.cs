using System.Runtime.InteropServices;

namespace PixelPool.Native;

/// <summary>
/// The allocator of the base library, for systems without a source of their own. Its memory is not zeroed. Each piece lies inside of what was got, with a margin
/// on both sides.
/// </summary>
internal sealed unsafe class PortableBlockSource : BlockSource
{
    public override bool IsZeroed => false;

    // The piece starts at the first multiple of the alignment that leaves a margin behind the address that the allocator gave, which is kept in that margin.
    protected override nint Allocate(nuint bytes, bool hugePages)
    {
        try
        {
            nint whole = Marshal.AllocHGlobal(checked((nint)(bytes + AlignmentBytes + (2 * MarginBytes))));
            nint address = (nint)(((nuint)whole + MarginBytes + AlignmentBytes - 1) & ~(nuint)(AlignmentBytes - 1));
            ((nint*)address)[-1] = whole;
            return address;
        }
        catch (Exception e) when (e is OutOfMemoryException or OverflowException)
        {
            return 0;
        }
    }

    public override void Release(nint address, long bytes) => Marshal.FreeHGlobal(((nint*)address)[-1]);
}
