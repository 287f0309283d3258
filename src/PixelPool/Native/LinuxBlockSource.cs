#if NET
using System.Runtime.InteropServices;

namespace PixelPool.Native;

/// <summary>
/// Private anonymous mappings. Pieces of a huge page and more start on a 2 MiB boundary, so that the kernel can back them with huge pages:
/// touching a fresh 4 MiB then costs two page faults instead of 1,024.
/// </summary>
internal sealed unsafe class LinuxBlockSource : BlockSource
{
    private const nuint HugePageBytes = 2 << 20;

    // Values of <sys/mman.h> on every architecture .NET runs on.
    private const int ProtReadWrite = 0x1 | 0x2;
    private const int MapPrivateAnonymous = 0x02 | 0x20;
    private const int MadvHugePage = 14;
    private const nint MapFailed = -1;

    public override bool IsZeroed => true;

    protected override nint Allocate(nuint bytes, bool hugePages)
    {
        if (bytes < HugePageBytes)
        {
            return Map(bytes);
        }

        nint address = MapAligned(bytes);
        if (address != 0 && hugePages)
        {
            // A refusal (huge pages are off or unknown) costs speed only.
            _ = madvise((void*)address, bytes, MadvHugePage);
        }

        return address;
    }

    protected override void Free(nint address, nuint bytes) => _ = munmap((void*)address, bytes);

    private static nint Map(nuint bytes)
    {
        nint address = mmap(null, bytes, ProtReadWrite, MapPrivateAnonymous, -1, 0);
        return address == MapFailed ? 0 : address;
    }

    private static nint MapAligned(nuint bytes)
    {
        nint address = Map(bytes);
        if (address == 0 || IsAligned(address))
        {
            // The usual case: kernels since 6.7 align such mappings themselves, and neighbours of aligned ones are aligned.
            return address;
        }

        _ = munmap((void*)address, bytes);
        nint reserved = Map(bytes + HugePageBytes);
        if (reserved == 0)
        {
            return 0;
        }

        nuint head = (HugePageBytes - ((nuint)reserved & (HugePageBytes - 1))) & (HugePageBytes - 1);
        address = reserved + (nint)head;
        nuint pages = (bytes + (nuint)Environment.SystemPageSize - 1) & ~((nuint)Environment.SystemPageSize - 1);
        nuint tail = HugePageBytes - head;
        if (head != 0)
        {
            _ = munmap((void*)reserved, head);
        }

        _ = munmap((void*)(address + (nint)pages), tail);

        return address;
    }

    private static bool IsAligned(nint address) => ((nuint)address & (HugePageBytes - 1)) == 0;

    [DllImport("libc")]
    private static extern nint mmap(void* address, nuint length, int protection, int flags, int file, nint offset);

    [DllImport("libc")]
    private static extern int munmap(void* address, nuint length);

    [DllImport("libc")]
    private static extern int madvise(void* address, nuint length, int advice);
}
#endif
