#if NET
using System.Runtime.InteropServices;

namespace PixelPool.Native;

/// <summary>Committed pages of <c>VirtualAlloc</c>: zeroed, aligned to 64 KiB, and really gone after <c>VirtualFree</c>.</summary>
internal sealed unsafe class WindowsBlockSource : BlockSource
{
    // Values of <winnt.h>.
    private const uint MemCommitReserve = 0x1000 | 0x2000;
    private const uint MemRelease = 0x8000;
    private const uint PageReadWrite = 0x04;

    public override bool IsZeroed => true;

    // Large pages need a privilege that applications do not have, and can not be given back in parts: not asked for.
    protected override nint Allocate(nuint bytes, bool hugePages) => (nint)VirtualAlloc(null, bytes, MemCommitReserve, PageReadWrite);

    protected override void Free(nint address, nuint bytes) => _ = VirtualFree((void*)address, 0, MemRelease);

    [DllImport("kernel32", ExactSpelling = true)]
    private static extern void* VirtualAlloc(void* address, nuint size, uint allocationType, uint protection);

    [DllImport("kernel32", ExactSpelling = true)]
    private static extern int VirtualFree(void* address, nuint size, uint freeType);
}
#endif
