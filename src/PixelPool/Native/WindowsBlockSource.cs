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

    // What addresses of reservations are multiples of. The margin, or the page that cannot be touched, is the end of the first of them.
    private const int GranularityBytes = 64 << 10;

    private static readonly int s_page = Environment.SystemPageSize;

    // Large pages need a privilege that applications do not have, and cannot be given back in parts: not asked for.
    protected override nint Allocate(nuint bytes, bool hugePages) => Map(bytes, margin: s_page);

    public override void Release(nint address, long bytes) => _ = VirtualFree((void*)(address - GranularityBytes), 0, MemRelease);

    public override nint AllocateGuarded(nint bytes, bool hugePages) => Map((nuint)bytes, margin: 0);

    public override bool TryCloseGuarded(nint pages, nint bytes) => VirtualFree((void*)pages, (nuint)bytes, MemDecommit) != 0;

    // Reserves some pages before the memory and one behind it, of which a margin on both sides is committed.
    private static nint Map(nuint bytes, int margin)
    {
        nint reserved = (nint)VirtualAlloc(null, bytes + GranularityBytes + (nuint)s_page, MemReserve, PageNoAccess);
        if (reserved == 0)
        {
            return 0;
        }

        nint address = reserved + GranularityBytes;
        if (VirtualAlloc((void*)(address - margin), bytes + (2 * (nuint)margin), MemCommit, PageReadWrite) == null)
        {
            _ = VirtualFree((void*)reserved, 0, MemRelease);
            return 0;
        }

        return address;
    }

    [DllImport("kernel32", ExactSpelling = true)]
    private static extern void* VirtualAlloc(void* address, nuint size, uint allocationType, uint protection);

    [DllImport("kernel32", ExactSpelling = true)]
    private static extern int VirtualFree(void* address, nuint size, uint freeType);
}
#endif
