using System.Runtime.InteropServices;

namespace PixelPool.Tests.Native.Margins;

/// <summary>Somebody else in the process who maps memory and unmaps it: nobody may touch what is in it.</summary>
internal sealed unsafe class ForeignMemory(Random random)
{
    private const int ReadWrite = 1 | 2;
    private const int PrivateAnonymous = 2 | 0x20;
    private const int PageBytes = 4096;

    private readonly Queue<(nint Start, int Pages, long Content)> _held = new();

    /// <summary>Maps some memory, and lets go of some that was mapped before, if nobody touched it.</summary>
    public void Step()
    {
        int pages = random.Next(1, random.Next(8) == 0 ? 2000 : 40);
        nint start = mmap(0, (nuint)pages * PageBytes, ReadWrite, PrivateAnonymous, -1, 0);
        Assert.NotEqual(-1, start);
        long content = random.NextInt64();
        for (int page = 0; page < pages; page++)
        {
            Assert.Equal(0, Word(start, page));
            Word(start, page) = content + page;
        }

        _held.Enqueue((start, pages, content));
        while (_held.Count > 50)
        {
            Release();
        }
    }

    public void ReleaseAll()
    {
        while (_held.Count != 0)
        {
            Release();
        }
    }

    private void Release()
    {
        (nint start, int pages, long content) = _held.Dequeue();
        for (int page = 0; page < pages; page++)
        {
            Assert.Equal(content + page, Word(start, page));
        }

        Assert.Equal(0, munmap(start, (nuint)pages * PageBytes));
    }

    private static ref long Word(nint start, int page) => ref *(long*)(start + ((nint)page * PageBytes) + (page % 500 * 8));

    [DllImport("libc")]
    private static extern nint mmap(nint address, nuint length, int protection, int flags, int file, nint offset);

    [DllImport("libc")]
    private static extern int munmap(nint address, nuint length);
}
