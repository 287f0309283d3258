using System.Runtime.InteropServices;
using PixelPool.Benchmarks.Metering;

namespace PixelPool.Benchmarks.Peers;

/// <summary>A private anonymous mapping, aligned to huge pages: what pools on Linux are made of, without a pool.</summary>
internal readonly unsafe struct Mapping
{
    private const nuint HugePageBytes = 2 << 20;

    // Values of <sys/mman.h>.
    private const int ProtReadWrite = 0x1 | 0x2;
    private const int MapPrivateAnonymous = 0x02 | 0x20;
    private const int MadvDontNeed = 4;
    private const int MadvHugePage = 14;
    private const int MadvNoHugePage = 15;

    private readonly byte* _memory;
    private readonly int _bytes;

    private Mapping(byte* memory, int bytes)
    {
        _memory = memory;
        _bytes = bytes;
    }

    public Span<byte> Memory => new(_memory, _bytes);

    public static Mapping Create(int bytes, bool hugePages)
    {
        NativeBytes.Add(bytes);
        byte* memory = Map((nuint)bytes);
        if (((nuint)memory & (HugePageBytes - 1)) != 0)
        {
            // A larger one, of which only the aligned part is kept.
            _ = munmap(memory, (nuint)bytes);
            byte* reserved = Map((nuint)bytes + HugePageBytes);
            memory = (byte*)(((nuint)reserved + HugePageBytes - 1) & ~(HugePageBytes - 1));
            nuint head = (nuint)(memory - reserved);
            _ = head == 0 ? 0 : munmap(reserved, head);
            _ = munmap(memory + bytes, HugePageBytes - head);
        }

        _ = madvise(memory, (nuint)bytes, hugePages ? MadvHugePage : MadvNoHugePage);
        return new Mapping(memory, bytes);
    }

    /// <summary>Gives the pages back and keeps the addresses.</summary>
    public void Discard()
    {
        NativeBytes.Add(_bytes);
        _ = madvise(_memory, (nuint)_bytes, MadvDontNeed);
    }

    public void Unmap() => _ = munmap(_memory, (nuint)_bytes);

    private static byte* Map(nuint bytes)
    {
        nint address = mmap(null, bytes, ProtReadWrite, MapPrivateAnonymous, -1, 0);
        return address == -1 ? throw new OutOfMemoryException() : (byte*)address;
    }

    [DllImport("libc")]
    private static extern nint mmap(void* address, nuint length, int protection, int flags, int file, nint offset);

    [DllImport("libc")]
    private static extern int munmap(void* address, nuint length);

    [DllImport("libc")]
    private static extern int madvise(void* address, nuint length, int advice);
}
