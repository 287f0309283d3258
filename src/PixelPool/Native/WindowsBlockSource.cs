#if NET
using System.Runtime.InteropServices;

namespace PixelPool.Native;

/// <summary>
/// Pages of <c>VirtualAlloc</c>: zeroed, aligned to 64 KiB, and really gone after <c>VirtualFree</c>. A committed page that is never written to lies before and
/// behind them.
/// </summary>
internal sealed unsafe class WindowsBlockSource : BlockSource
{
    // Values of <winnt.h>.
    private const uint MemCommit = 0x1000;
    private const uint MemReserve = 0x2000;
    private const uint MemDecommit = 0x4000;
    private const uint MemRelease = 0x8000;
    private const uint PageNoAccess = 0x01;
    private const uint PageReadWrite = 0x04;

    // What addresses of reservations are multiples of. The margin is the end of the first of them.
    private const int GranularityBytes = 64 << 10;

    private static readonly int s_page = Environment.SystemPageSize;

    public override bool IsZeroed => true;

    // Large pages need a privilege that applications do not have, and cannot be given back in parts: not asked for.
    protected override nint Allocate(nuint bytes, bool hugePages)
    {
        nint reserved = (nint)VirtualAlloc(null, bytes + (nuint)GranularityBytes + (nuint)s_page, MemReserve, PageNoAccess);
        if (reserved == 0)
        {
            return 0;
        }

        nint address = reserved + GranularityBytes;
        if (VirtualAlloc((void*)(address - s_page), bytes + (2 * (nuint)s_page), MemCommit, PageReadWrite) == null)
        {
            Free(address, bytes);
            return 0;
        }

        return address;
    }

    protected override void Free(nint address, nuint bytes) => _ = VirtualFree((void*)(address - GranularityBytes), 0, MemRelease);

    public override void ReleaseGuarded(nint pages, nint bytes) => _ = VirtualFree((void*)(pages - s_page), 0, MemRelease);

    protected override nint MapGuarded(nint bytes)
    {
        nint reserved = (nint)VirtualAlloc(null, (nuint)(bytes + (2 * s_page)), MemReserve, PageNoAccess);
        if (reserved == 0)
        {
            return 0;
        }

        nint pages = reserved + s_page;
        if (VirtualAlloc((void*)pages, (nuint)bytes, MemCommit, PageReadWrite) == null)
        {
            ReleaseGuarded(pages, bytes);
            return 0;
        }

        return pages;
    }

    protected override bool TryClose(nint pages, nint bytes) => VirtualFree((void*)pages, (nuint)bytes, MemDecommit) != 0;

    [DllImport("kernel32", ExactSpelling = true)]
    private static extern void* VirtualAlloc(void* address, nuint size, uint allocationType, uint protection);

    [DllImport("kernel32", ExactSpelling = true)]
    private static extern int VirtualFree(void* address, nuint size, uint freeType);
}
#endif
