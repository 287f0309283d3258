using System.Runtime.CompilerServices;

namespace PixelPool.Native;

/// <summary>
/// The only place that takes memory from the operating system and gives it back. Stateless and thread-safe; never called while a lock is held.
/// </summary>
internal abstract unsafe class BlockSource
{
    /// <summary>Every address is a multiple of this: the largest row alignment that is offered.</summary>
    public const int AlignmentBytes = 4096;

    /// <summary>A huge page, where the system has them.</summary>
    public const long HugePageBytes = 2 << 20;

    /// <summary>What this machine offers.</summary>
    public static BlockSource System { get; } = CreateSystemSource();

    /// <summary>True when fresh memory reads as zero.</summary>
    public abstract bool IsZeroed { get; }

    /// <summary>
    /// True when a piece may be given back in parts, and blocks may be moved side by side: a piece is only a row of pages then.
    /// </summary>
    public virtual bool IsDivisible => false;

    /// <summary>Takes one piece of memory from the system.</summary>
    /// <returns>False when the system has none.</returns>
    public bool TryAllocate(long bytes, bool hugePages, out nint address)
    {
        address = bytes > MaxBytes ? 0 : Allocate((nuint)bytes, hugePages);
        if (address == 0)
        {
            return false;
        }

        CollectorPressure.Add(bytes);
        return true;
    }

    /// <summary>Gives a whole piece back to the system.</summary>
    public void Release(nint address, long bytes)
    {
        Free(address, (nuint)bytes);
        CollectorPressure.Remove(bytes);
    }

    /// <summary>Gives blocks back to the system.</summary>
    /// <param name="blocks">The blocks; in any order afterwards.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    public void Release(Span<nint> blocks, int blockBytes)
    {
        FreeBlocks(blocks, blockBytes);
        CollectorPressure.Remove((long)blocks.Length * blockBytes);
    }

    /// <summary>
    /// Makes one piece of blocks that nobody uses, followed by fresh memory, by moving their pages: nothing is copied. Only for sources that are
    /// <see cref="IsDivisible"/>.
    /// </summary>
    /// <param name="blocks">
    /// The blocks; afterwards, in any order, where they are now: in the piece, or, when it failed half-way, somewhere else.
    /// </param>
    /// <param name="missing">How many fresh blocks follow.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    /// <param name="hugePages">Asks for huge pages for the fresh ones.</param>
    /// <param name="run">The piece.</param>
    /// <param name="refused">True when the last one of <paramref name="blocks"/> can not be moved, and better is not kept.</param>
    /// <returns>False when the system refuses: no memory was taken or given back.</returns>
    public bool TryAssemble(Span<nint> blocks, int missing, int blockBytes, bool hugePages, out nint run, out bool refused)
    {
        run = Assemble(blocks, missing, blockBytes, hugePages);
        refused = run == MoveRefused;
        if (run is 0 or MoveRefused)
        {
            return false;
        }

        CollectorPressure.Add((long)missing * blockBytes);
        return true;
    }

    /// <summary>Says what pages a range, aligned to <see cref="HugePageBytes"/>, is to get when it is touched. A hint.</summary>
    public virtual void PreferHugePages(nint address, long bytes, bool preferred)
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
    public static long MaxBytes { get; } = IntPtr.Size == 4 ? int.MaxValue : 1L << 46;

    /// <returns>The address, or 0 when the system has no memory.</returns>
    protected abstract nint Allocate(nuint bytes, bool hugePages);

    protected abstract void Free(nint address, nuint bytes);

    protected virtual void FreeBlocks(Span<nint> blocks, int blockBytes)
    {
        foreach (nint block in blocks)
        {
            Free(block, (nuint)blockBytes);
        }
    }

    /// <summary>What <see cref="Assemble"/> returns when a block can not be moved. It is the last one of the blocks then.</summary>
    protected const nint MoveRefused = -1;

    /// <returns>The address of the piece, 0 when the system has no memory, or <see cref="MoveRefused"/>.</returns>
    protected virtual nint Assemble(Span<nint> blocks, int missing, int blockBytes, bool hugePages) => 0;

    [MethodImpl(MethodImplOptions.NoInlining)]
#pragma warning disable CA1859 // on some targets only one kind is left
    private static BlockSource CreateSystemSource()
#pragma warning restore CA1859
    {
#if NET
        if (OperatingSystem.IsLinux())
        {
            return new LinuxBlockSource();
        }

        if (OperatingSystem.IsWindows())
        {
            return new WindowsBlockSource();
        }
#endif
        return new PortableBlockSource();
    }
}
