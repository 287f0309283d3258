using System.Runtime.InteropServices;

namespace PixelPool.Native;

/// <summary>The system calls of <see cref="LinuxBlockSource"/>. Virtual, so that a test can refuse one, count them, or be an older kernel.</summary>
internal unsafe class LinuxKernel
{
    // Values of <sys/mman.h> on every architecture .NET runs on.
    private const int ProtNone = 0;
    private const int ProtReadWrite = 0x1 | 0x2;
    private const int MapPrivateAnonymous = 0x02 | 0x20;
    private const int MadvDontNeed = 4;
    private const int MadvHugePage = 14;
    private const int MadvNoHugePage = 15;
    private const int MremapMayMoveFixedDontUnmap = 1 | 2 | 4;
    private const nint Failed = -1;

    // A value of <time.h>.
    private const int ClockThreadCpuTime = 3;

    // Emulators, and filters of system calls, may say that pages were let go of, and keep them: who gets them next would see what others left there.
    private readonly bool _keepsPages;

    // The first call of a function needs managed memory, and these are called first where blocks go back, or are taken already: now there is some. Of no bytes most do nothing; letting a page go is tried.
    public LinuxKernel()
    {
        _ = ReadThreadTime();
        _ = mprotect(null, 0, ProtNone);
        nuint bytes = (nuint)Environment.SystemPageSize;
        byte* page = (byte*)mmap(null, bytes, ProtReadWrite, MapPrivateAnonymous, -1, 0);
        if ((nint)page != Failed)
        {
            *page = 1;
            _keepsPages = madvise(page, bytes, MadvDontNeed) != 0 || *page != 0;
            _ = munmap(page, bytes);
        }

        _ = mremap(null, 0, 0, MremapMayMoveFixedDontUnmap, null);
#if NET
        _ = PageMap.TryCount(0, 0, out _, out _);
#endif
    }

    /// <summary>Bytes of a page.</summary>
    public virtual int PageBytes => Environment.SystemPageSize;

    /// <summary>Maps fresh pages.</summary>
    /// <returns>The address, or 0 when there is no memory.</returns>
    public virtual nint Map(nint bytes)
    {
        nint address = mmap(null, (nuint)bytes, ProtReadWrite, MapPrivateAnonymous, -1, 0);
        return address == Failed ? 0 : address;
    }

    /// <summary>From now on nobody can touch the pages.</summary>
    /// <returns>False when it was refused: for want of memory, or of mappings.</returns>
    public virtual bool TryClose(nint address, nint bytes) => mprotect((void*)address, (nuint)bytes, ProtNone) == 0;

    /// <summary>Lets go of pages, also of such that cannot be touched: they read as zero.</summary>
    /// <returns>False when the kernel keeps them, because they are locked, or the call is denied or does nothing.</returns>
    public virtual bool TryDiscard(nint address, nint bytes) => !_keepsPages && madvise((void*)address, (nuint)bytes, MadvDontNeed) == 0;

    /// <returns>False when it was refused: all of it is still mapped.</returns>
    public virtual bool TryUnmap(nint address, nint bytes) => munmap((void*)address, (nuint)bytes) == 0;

    /// <summary>Moves pages to where others are mapped, which are replaced. Where they were stays mapped, without pages. Linux 5.7 and later.</summary>
    /// <returns>False when it was refused. Whether anything is mapped at <paramref name="to"/> is not known then.</returns>
    public virtual bool TryMove(nint from, nint to, nint bytes) => mremap((void*)from, (nuint)bytes, (nuint)bytes, MremapMayMoveFixedDontUnmap, (void*)to) != Failed;

    /// <summary>Asks for huge pages, or for small ones. A refusal (huge pages are off or unknown) costs speed only.</summary>
    public virtual void PreferHugePages(nint address, nint bytes, bool preferred) =>
        _ = madvise((void*)address, (nuint)bytes, preferred ? MadvHugePage : MadvNoHugePage);

    /// <summary>Touches a fresh page.</summary>
    /// <returns>Nanoseconds of processor time that it took this thread: it does not matter that others run meanwhile. 0 when there is no such clock.</returns>
    public virtual long Touch(nint page)
    {
        long began = ReadThreadTime();
        Volatile.Write(ref *(byte*)page, 0);
        return ReadThreadTime() - began;
    }

    /// <summary>How many mappings the process may have, unless somebody changed <c>vm.max_map_count</c>.</summary>
    public virtual int MaxMappings => 65_530;

    private static long ReadThreadTime()
    {
        // struct timespec
        long* time = stackalloc long[2];
        return clock_gettime(ClockThreadCpuTime, time) == 0 ? (time[0] * 1_000_000_000) + time[1] : 0;
    }

    [DllImport("libc")]
    private static extern nint mmap(void* address, nuint length, int protection, int flags, int file, nint offset);

    [DllImport("libc")]
    private static extern int munmap(void* address, nuint length);

    [DllImport("libc")]
    private static extern int mprotect(void* address, nuint length, int protection);

    [DllImport("libc")]
    private static extern nint mremap(void* address, nuint oldLength, nuint newLength, int flags, void* newAddress);

    [DllImport("libc")]
    private static extern int clock_gettime(int clock, long* time);

    [DllImport("libc")]
    private static extern int madvise(void* address, nuint length, int advice);
}
