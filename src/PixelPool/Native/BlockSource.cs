using System.Runtime.CompilerServices;

namespace PixelPool.Native;

/// <summary>
/// The only place that takes memory from the operating system and gives it back. Stateless and thread-safe; never called while a lock is held.
/// </summary>
internal abstract unsafe class BlockSource
{
    /// <summary>Every address is a multiple of this: the largest row alignment that is offered.</summary>
    public const int AlignmentBytes = 4096;

    /// <summary>What this machine offers.</summary>
    public static BlockSource System { get; } = CreateSystemSource();

    /// <summary>True when fresh memory reads as zero.</summary>
    public abstract bool IsZeroed { get; }

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
