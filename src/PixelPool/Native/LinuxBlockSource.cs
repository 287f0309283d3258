#if NET
using System.Runtime.InteropServices;

namespace PixelPool.Native;

/// <summary>
/// Private anonymous mappings. Pieces of a huge page and more start on a 2 MiB boundary, so that the kernel can back them with huge pages:
/// touching a fresh 4 MiB then costs two page faults instead of 1,024.
/// </summary>
internal sealed unsafe class LinuxBlockSource : BlockSource
{
    // Values of <sys/mman.h> on every architecture .NET runs on.
    private const int ProtReadWrite = 0x1 | 0x2;
    private const int MapPrivateAnonymous = 0x02 | 0x20;
    private const int MadvHugePage = 14;
    private const int MadvNoHugePage = 15;
    private const int MremapMayMoveFixed = 1 | 2;
    private const int MadvDontNeed = 4;
    private const nint MapFailed = -1;

    public override bool IsZeroed => true;

    public override bool IsDivisible => true;

    public override void PreferHugePages(nint address, long bytes, bool preferred) =>
        _ = madvise((void*)address, (nuint)bytes, preferred ? MadvHugePage : MadvNoHugePage);

    public override bool TryCountPages(nint address, long bytes, out long resident, out long huge) =>
        PageMap.TryCount(address, bytes, out resident, out huge);

    protected override nint Allocate(nuint bytes, bool hugePages)
    {
        if (bytes < (nuint)HugePageBytes)
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

    protected override void Free(nint address, nuint bytes)
    {
        if (munmap((void*)address, bytes) != 0)
        {
            // The process has as many mappings as it may have, and this would cut one in two. The pages go at least.
            _ = madvise((void*)address, bytes, MadvDontNeed);
        }
    }

    // Blocks that lie side by side go in one call.
    protected override void FreeBlocks(Span<nint> blocks, int blockBytes)
    {
        blocks.Sort();
        for (int i = 0; i < blocks.Length;)
        {
            int adjacent = CountAdjacent(blocks.Slice(i), blockBytes);
            Free(blocks[i], (nuint)adjacent * (nuint)blockBytes);
            i += adjacent;
        }
    }

    protected override nint Assemble(Span<nint> blocks, int missing, int blockBytes, bool hugePages)
    {
        blocks.Sort();
        if (missing == 0 && CountAdjacent(blocks, blockBytes) == blocks.Length)
        {
            return blocks[0];
        }

        nuint bytes = (nuint)(blocks.Length + missing) * (nuint)blockBytes;
        nint run = Allocate(bytes, hugePages);
        if (run == 0)
        {
            return 0;
        }

        for (int i = 0; i < blocks.Length; i++)
        {
            nint place = run + ((nint)i * blockBytes);
            if (mremap((void*)blocks[i], (nuint)blockBytes, (nuint)blockBytes, MremapMayMoveFixed, (void*)place) == MapFailed)
            {
                // The kernel may have unmapped that place before it failed, and it may be somebody else's by now: it is left alone.
                nint rest = place + blockBytes;
                if (rest != run + (nint)bytes)
                {
                    Free(rest, bytes - (nuint)(rest - run));
                }

                (blocks[i], blocks[^1]) = (blocks[^1], blocks[i]);
                return MoveRefused;
            }

            blocks[i] = place;
        }

        return run;
    }

    // How many of the first blocks lie side by side.
    private static int CountAdjacent(ReadOnlySpan<nint> blocks, int blockBytes)
    {
        int count = 1;
        while (count < blocks.Length && blocks[count] - blocks[count - 1] == blockBytes)
        {
            count++;
        }

        return count;
    }

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
        const nuint Alignment = (nuint)HugePageBytes;
        nint reserved = Map(bytes + Alignment);
        if (reserved == 0)
        {
            return 0;
        }

        nuint head = (Alignment - ((nuint)reserved & (Alignment - 1))) & (Alignment - 1);
        address = reserved + (nint)head;
        nuint pages = (bytes + (nuint)Environment.SystemPageSize - 1) & ~((nuint)Environment.SystemPageSize - 1);
        nuint tail = Alignment - head;
        if (head != 0)
        {
            _ = munmap((void*)reserved, head);
        }

        _ = munmap((void*)(address + (nint)pages), tail);

        return address;
    }

    private static bool IsAligned(nint address) => (address & (nint)(HugePageBytes - 1)) == 0;

    [DllImport("libc")]
    private static extern nint mmap(void* address, nuint length, int protection, int flags, int file, nint offset);

    [DllImport("libc")]
    private static extern int munmap(void* address, nuint length);

    [DllImport("libc")]
    private static extern nint mremap(void* address, nuint oldLength, nuint newLength, int flags, void* newAddress);

    [DllImport("libc")]
    private static extern int madvise(void* address, nuint length, int advice);
}
#endif
