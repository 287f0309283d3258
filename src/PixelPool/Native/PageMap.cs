#if NET
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace PixelPool.Native;

/// <summary>What the kernel put behind addresses of this process: <c>PAGEMAP_SCAN</c> of <c>/proc/self/pagemap</c> (Linux 6.7 and later), about a microsecond a call.</summary>
internal static unsafe class PageMap
{
    // Values of <linux/fs.h>.
    private const nuint PagemapScan = 0xC060_6610;
    private const ulong PageIsPresent = 1 << 3;
    private const ulong PageIsHuge = 1 << 6;

    // A value of <fcntl.h>.
    private const int CloseOnExec = 0x8_0000;

    private const int RegionsPerCall = 32;

    // Memory in small pages with holes has many regions: what was seen until then is enough for a share.
    private const int MostCalls = 16;

    // For the life of the process, or of the plug-in that brought the library. Not by the runtime's files: the first of those takes a short program several milliseconds.
    private static readonly SafeFileHandle s_file = new(Open(), ownsHandle: true);

    /// <summary>Counts the resident bytes of a range, and those of them that are in huge pages.</summary>
    /// <returns>False when the kernel does not tell.</returns>
    public static bool TryCount(nint address, long bytes, out long resident, out long huge)
    {
        resident = huge = 0;

        // Before the loop: also of no bytes it opens the file.
        int file = (int)s_file.DangerousGetHandle();
        Region* regions = stackalloc Region[RegionsPerCall];
        var scan = new Scan
        {
            Size = (ulong)sizeof(Scan),
            Start = (ulong)address,
            End = (ulong)(address + bytes),
            Regions = (ulong)regions,
            RegionCount = RegionsPerCall,
            CategoryMask = PageIsPresent,
            ReturnMask = PageIsPresent | PageIsHuge,
        };
        for (int call = 0; call < MostCalls && scan.Start < scan.End; call++)
        {
            nint found = ioctl(file, PagemapScan, &scan);
            if (found < 0)
            {
                return false;
            }

            for (int i = 0; i < found; i++)
            {
                long length = (long)(regions[i].End - regions[i].Start);
                resident += length;
                huge += (regions[i].Categories & PageIsHuge) != 0 ? length : 0;
            }

            scan.Start = scan.WalkEnd;
        }

        return true;
    }

    private static nint Open()
    {
        // Of no file it does nothing: the first call of a function needs managed memory.
        _ = ioctl(file: -1, PagemapScan, null);

        // Such a text ends with a zero.
        fixed (byte* path = "/proc/self/pagemap"u8)
        {
            return open(path, CloseOnExec);
        }
    }

    [DllImport("libc")]
    private static extern int open(byte* path, int flags);

    [DllImport("libc")]
    private static extern int ioctl(int file, nuint request, Scan* argument);

    // struct page_region
    private record struct Region(ulong Start, ulong End, ulong Categories);

    // struct pm_scan_arg
    private record struct Scan(
        ulong Size, ulong Flags, ulong Start, ulong End, ulong WalkEnd, ulong Regions, ulong RegionCount, ulong MaxPages,
        ulong CategoryInverted, ulong CategoryMask, ulong CategoryAnyOfMask, ulong ReturnMask);
}
#endif
