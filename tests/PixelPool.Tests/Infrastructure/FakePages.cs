using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PixelPool.Tests.Infrastructure;

/// <summary>
/// Memory in pages, as the Linux kernel has it: any part may be freed, what lies side by side may be freed in one go, and pages can be moved. An
/// address that is free again is the last to be handed out, and must not be written to until then.
/// </summary>
internal sealed unsafe class FakePages : FakeMemory
{
    public const int PageBytes = 4096;

    /// <summary>Address space that is enough for a test of small blocks.</summary>
    public const int DefaultBytes = 32 << 20;

    // What tests had that are over, by size. Writing to memory that is fresh from the system would take most of the time of a short test.
    private static readonly ConcurrentDictionary<int, ConcurrentBag<(byte[] Memory, bool[] WasUsed)>> s_idle = new();

    // A pinned array, not native memory: it lives for as long as any finalizer of the code under test may still use it.
    private readonly byte[] _memory;
    private readonly byte* _start;
    private readonly bool[] _wasUsed;
    private bool[] _isLive;
    private int _next;
    private int _livePages;

    public FakePages(int bytes)
    {
        (_memory, _wasUsed) = s_idle.TryGetValue(bytes, out ConcurrentBag<(byte[], bool[])>? idle) && idle.TryTake(out (byte[], bool[]) used)
            ? used
            : (GC.AllocateUninitializedArray<byte>(bytes + PageBytes, pinned: true), new bool[bytes / PageBytes]);
        _isLive = new bool[_wasUsed.Length];
        _start = (byte*)(((nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_memory)) + PageBytes - 1) & -PageBytes);
    }

    private int Pages => _isLive.Length;

    public override long LiveBytes => (long)_livePages * PageBytes;

    public override IEnumerable<long> LiveSizes
    {
        get
        {
            for (int page = 0, first = 0; page <= Pages; page++)
            {
                if (page == Pages || !_isLive[page])
                {
                    if (page > first)
                    {
                        yield return (long)(page - first) * PageBytes;
                    }

                    first = page + 1;
                }
            }
        }
    }

    public override bool IsLive(nint address)
    {
        long offset = address - (nint)_start;
        return offset >= 0 && offset < (long)Pages * PageBytes && _isLive[offset / PageBytes];
    }

    /// <inheritdoc/>
    /// <remarks>If nothing is handed out, the next test gets it, which finds what is written late. What a finalizer still frees then is a misuse.</remarks>
    public override void End()
    {
        if (_livePages == 0 && Pages != 0)
        {
            s_idle.GetOrAdd(Pages * PageBytes, static _ => []).Add((_memory, _wasUsed));
            _isLive = [];
        }
    }

    public override nint Take(long bytes, byte content)
    {
        int count = PagesOf(bytes);
        int first = Find(count, _next);
        first = first < 0 ? Find(count, 0) : first;
        if (first < 0)
        {
            return 0;
        }

        for (int page = first; page < first + count; page++)
        {
            var bytesOfPage = new Span<byte>(_start + ((long)page * PageBytes), PageBytes);
            if (_wasUsed[page] && bytesOfPage.ContainsAnyExcept(Freed))
            {
                Misuse.Add($"0x{(nint)_start + ((nint)page * PageBytes):x} was written to after it was freed or moved away.");
            }

            bytesOfPage.Fill(content);
            _isLive[page] = _wasUsed[page] = true;
        }

        _livePages += count;
        _next = first + count;
        return (nint)(_start + ((long)first * PageBytes));
    }

    public override bool Give(nint address, long bytes)
    {
        long offset = address - (nint)_start;
        int first = (int)(offset / PageBytes);
        int count = PagesOf(bytes);
        if (offset < 0 || offset % PageBytes != 0 || offset + bytes > (long)Pages * PageBytes || _isLive.AsSpan(first, count).Contains(false))
        {
            Misuse.Add($"{bytes} bytes at 0x{address:x} were freed or moved, not all of which are handed out.");
            return false;
        }

        _isLive.AsSpan(first, count).Clear();
        _livePages -= count;
        new Span<byte>((byte*)address, count * PageBytes).Fill(Freed);
        return true;
    }

    /// <summary>Moves pages to where others are handed out, which are replaced. What is left reads as zero.</summary>
    /// <returns>False when the pages are not handed out: nothing was moved.</returns>
    public bool Move(nint from, nint to, int bytes)
    {
        if (from % PageBytes != 0 || !IsLive(from) || !IsLive(to))
        {
            Misuse.Add($"{bytes} bytes were moved from 0x{from:x} to 0x{to:x}.");
            return false;
        }

        Buffer.MemoryCopy((void*)from, (void*)to, bytes, bytes);
        new Span<byte>((void*)from, bytes).Clear();
        return true;
    }

    private static int PagesOf(long bytes) => (int)((bytes + PageBytes - 1) / PageBytes);

    private int Find(int count, int start)
    {
        int free = 0;
        for (int page = start; page < Pages; page++)
        {
            free = _isLive[page] ? 0 : free + 1;
            if (free == count)
            {
                return page - count + 1;
            }
        }

        return -1;
    }
}
