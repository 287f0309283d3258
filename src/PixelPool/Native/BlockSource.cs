using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PixelPool.Native;

/// <summary>
/// The only place that takes memory from the operating system and gives it back: whole pieces, and blocks of one size. Thread-safe; never called while a
/// lock is held.
/// </summary>
/// <remarks>
/// At least <see cref="MarginBytes"/> bytes before and behind every piece, every run and every block can be read as long as it lives, whatever else is mapped:
/// code that works with vectors reads a little more than a row.
/// </remarks>
internal abstract unsafe partial class BlockSource
{
    /// <summary>Every address is a multiple of this: the largest row alignment that is offered.</summary>
    public const int AlignmentBytes = 4096;

    /// <summary>Bytes that can be read on both sides of all memory: as much as the widest vector there is.</summary>
    public const int MarginBytes = 64;

    /// <summary>A huge page, where the system has them.</summary>
    public const long HugePageBytes = 2 << 20;

    /// <summary>What this machine offers.</summary>
    public static readonly BlockSource System = CreateSystemSource();

    /// <summary>True when fresh memory reads as zero: pages of a system do.</summary>
    public virtual bool IsZeroed => true;

    /// <summary>Takes one piece of memory from the system.</summary>
    /// <returns>False when the system has none.</returns>
    public bool TryAllocate(long bytes, bool hugePages, out nint address)
    {
        address = bytes > MaxBytes ? 0 : Allocate((nuint)bytes, hugePages);
        return address != 0;
    }

    /// <summary>Gives a piece back to the system, as it was got.</summary>
    public abstract void Release(nint address, long bytes);

    /// <summary>Takes zeroed pages with one before and one behind them that cannot be touched.</summary>
    /// <param name="bytes">How many are to be touched: whole pages.</param>
    /// <param name="hugePages">Whether those that are large enough may be backed by huge pages.</param>
    /// <returns>The first of them, or 0 when the system has no memory, or closes no pages.</returns>
    public virtual nint AllocateGuarded(nint bytes, bool hugePages) => 0;

    /// <summary>From now on nobody can touch the pages either, and they have no memory. Their addresses stay taken until they are released.</summary>
    /// <returns>False when the system refuses one of both.</returns>
    public virtual bool TryCloseGuarded(nint pages, nint bytes) => false;

    /// <summary>Lets go of the pages of a range whose content nobody needs: whole pages. It stays mapped. Does nothing where the system offers nothing like that.</summary>
    public virtual void Discard(nint address, nint bytes)
    {
    }

    /// <summary>Offers the huge pages of fresh memory that is about to be used. Now and then one is touched, to find out whether huge pages pay; if they do not, the memory gets small ones.</summary>
    /// <param name="start">Where the memory begins.</param>
    /// <param name="usedEnd">Where what is used of it ends.</param>
    /// <param name="end">Where it ends.</param>
    public virtual void OfferHugePages(nint start, nint usedEnd, nint end)
    {
    }

    /// <summary>Counts the resident bytes of a range, and those of them that are in huge pages.</summary>
    /// <returns>False when the system does not tell.</returns>
    public virtual bool TryCountPages(nint address, long bytes, out long resident, out long huge)
    {
        resident = huge = 0;
        return false;
    }

    /// <summary>Clears memory of any size (a span ends at 2 GiB).</summary>
    public static void Clear(nint address, long bytes)
    {
        const int Step = 1 << 30;
        for (; bytes > Step; address += Step, bytes -= Step)
        {
            new Span<byte>((void*)address, Step).Clear();
        }

        new Span<byte>((void*)address, (int)bytes).Clear();
    }

    /// <summary>The most bytes one piece, or one image, can have: the user half of the address space.</summary>
    public static readonly long MaxBytes = IntPtr.Size == 4 ? int.MaxValue : 1L << 46;

    /// <returns>The address, or 0 when the system has no memory.</returns>
    protected abstract nint Allocate(nuint bytes, bool hugePages);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static BlockSource CreateSystemSource()
    {
        // In 32 bits addresses are what runs out, and margins and places beside moved blocks take addresses. And mmap takes an offset of 64 bits in some C libraries there,
        // of 32 bits in others.
        if (RuntimeInformation.IsOSPlatform(OSPlatform.Linux) && IntPtr.Size == 8)
        {
            return new LinuxBlockSource(new LinuxKernel());
        }

#if NET
        if (OperatingSystem.IsWindows())
        {
            return new WindowsBlockSource();
        }
#endif
        return new PortableBlockSource();
    }
}
