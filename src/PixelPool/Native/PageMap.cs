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

    private const int RegionsPerCall = 32;

    // Memory in small pages with holes has many regions: what was seen until then is enough for a share.
    private const int MostCalls = 16;

    private static readonly SafeFileHandle? s_file = Open();

    /// <summary>Counts the resident bytes of a range, and those of them that are in huge pages.</summary>
    /// <returns>False when the kernel does not tell.</returns>
    public static bool TryCount(nint address, long bytes, out long resident, out long huge)
    {
        resident = huge = 0;
        if (s_file is null)
        {
            return false;
        }

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
            nint found = ioctl(s_file, PagemapScan, &scan);
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

    private static SafeFileHandle? Open()
    {
        try
        {
            return File.OpenHandle("/proc/self/pagemap");
        }
#pragma warning disable CA1031 // figures are missing then; what returns memory must not fail for them
        catch (Exception)
        {
            return null;
        }
#pragma warning restore CA1031
    }

    [DllImport("libc")]
    private static extern int ioctl(SafeFileHandle file, nuint request, Scan* argument);

    [StructLayout(LayoutKind.Sequential)]
    private struct Region
    {
        public ulong Start;
        public ulong End;
        public ulong Categories;
    }

    // struct pm_scan_arg
    [StructLayout(LayoutKind.Sequential)]
    private struct Scan
    {
        public ulong Size;
        public ulong Flags;
        public ulong Start;
        public ulong End;
        public ulong WalkEnd;
        public ulong Regions;
        public ulong RegionCount;
        public ulong MaxPages;
        public ulong CategoryInverted;
        public ulong CategoryMask;
        public ulong CategoryAnyOfMask;
        public ulong ReturnMask;
    }
}
#endif
