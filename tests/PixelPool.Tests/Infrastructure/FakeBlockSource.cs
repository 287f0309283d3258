using System.Runtime.InteropServices;
using PixelPool.Native;

namespace PixelPool.Tests.Infrastructure;

/// <summary>
/// The operating system of a test: real memory, but every piece is known, and the next allocations fail on demand. Like the kernel it has no
/// pieces of 0 bytes. Thread-safe.
/// </summary>
/// <remarks>
/// A wrong free (twice, foreign, with another size, or of a piece that was written past its end) is never passed on: it is kept in
/// <see cref="Misuse"/>, because it may come from a finalizer, and <see cref="Dispose"/> fails the test with it.
/// </remarks>
internal sealed unsafe class FakeBlockSource(bool zeroed = true) : BlockSource, IDisposable
{
    /// <summary>What fresh memory is filled with when it is not zeroed.</summary>
    public const byte Garbage = 0xCD;

    private const byte Freed = 0xDD;
    private const byte Fence = 0xA5;
    private const int FenceBytes = 64;

    private readonly Lock _lock = new();
    private readonly Dictionary<nint, long> _live = [];
    private readonly List<string> _misuse = [];
    private long _failFrom = long.MaxValue;
    private long _failTo = long.MaxValue;
    private long _attempts;
    private long _allocations;
    private long _frees;
    private long _liveBytes;
    private long _allocatedBytes;

    public override bool IsZeroed => zeroed;

    /// <summary>Called with the size before every attempt, on the thread that asks, without a lock.</summary>
    public Action<long>? OnAllocate { get; set; }

    /// <summary>Called with the size before every free, on the thread that frees, without a lock.</summary>
    public Action<long>? OnFree { get; set; }

    /// <summary>The system has room for this many pieces at once; whatever is asked beyond fails.</summary>
    public int MaxLivePieces { get; set; } = int.MaxValue;

    /// <summary>The system has room for this many bytes at once; whatever is asked beyond fails.</summary>
    public long MaxLiveBytes { get; set; } = long.MaxValue;

    /// <summary>Whether the last piece was asked for with huge pages.</summary>
    public bool AskedForHugePages { get; private set; }

    /// <summary>Allocations that were tried, failed ones included.</summary>
    public long Attempts => Read(ref _attempts);

    public long Allocations => Read(ref _allocations);

    public long Frees => Read(ref _frees);

    public long Failures
    {
        get
        {
            lock (_lock)
            {
                return _attempts - _allocations;
            }
        }
    }

    public long LiveBytes => Read(ref _liveBytes);

    /// <summary>Bytes of all allocations so far.</summary>
    public long AllocatedBytes => Read(ref _allocatedBytes);

    public int LivePieces
    {
        get
        {
            lock (_lock)
            {
                return _live.Count;
            }
        }
    }

    /// <summary>The sizes of the pieces that are not freed, in ascending order.</summary>
    public long[] LiveSizes
    {
        get
        {
            lock (_lock)
            {
                return [.. _live.Values.Order()];
            }
        }
    }

    /// <summary>The wrong frees so far.</summary>
    public string[] Misuse
    {
        get
        {
            lock (_lock)
            {
                return [.. _misuse];
            }
        }
    }

    /// <summary>Lets the k-th attempt from now on fail, and as many after it as said. 1 is the next one. Replaces what was planned before.</summary>
    public void FailAt(long k, long times = 1)
    {
        lock (_lock)
        {
            _failFrom = _attempts + k;
            _failTo = times == long.MaxValue ? times : _failFrom + times;
        }
    }

    /// <summary>Lets the next attempts fail.</summary>
    public void FailNext(long times = 1) => FailAt(1, times);

    /// <summary>Lets every attempt fail until <see cref="Heal"/>.</summary>
    public void FailAlways() => FailAt(1, long.MaxValue);

    /// <summary>Nothing fails any more, and there is room for everything.</summary>
    public void Heal()
    {
        lock (_lock)
        {
            _failFrom = _failTo = long.MaxValue;
            MaxLivePieces = int.MaxValue;
            MaxLiveBytes = long.MaxValue;
        }
    }

    /// <summary>Whether the address lies in a piece that is not freed.</summary>
    public bool IsLive(nint address)
    {
        lock (_lock)
        {
            return _live.Any(piece => address >= piece.Key && address < piece.Key + (nint)piece.Value);
        }
    }

    /// <summary>Fails the test when something was freed wrongly.</summary>
    public void AssertNoMisuse() => Assert.Empty(Misuse);

    /// <summary>Fails the test when something is not freed, or was freed wrongly.</summary>
    public void AssertAllFreed()
    {
        AssertNoMisuse();
        Assert.Equal([], LiveSizes);
    }

    /// <summary>Frees as <see cref="BlockSource.Release"/> does, but leaves the process' account alone: for frees that are wrong on purpose.</summary>
    public void FreeWithoutAccount(nint address, long bytes) => Free(address, (nuint)bytes);

    /// <summary>Fails the test when something was freed wrongly. Pieces that live stay valid: a finalizer may still use them.</summary>
    public void Dispose() => AssertNoMisuse();

    protected override nint Allocate(nuint bytes, bool hugePages)
    {
        OnAllocate?.Invoke((long)bytes);
        lock (_lock)
        {
            _attempts++;
            AskedForHugePages = hugePages;
            bool planned = _attempts >= _failFrom && _attempts < _failTo;
            if (planned || bytes == 0 || _live.Count >= MaxLivePieces || (long)bytes > MaxLiveBytes - _liveBytes)
            {
                return 0;
            }

            byte* piece = (byte*)NativeMemory.AlignedAlloc(bytes + FenceBytes, AlignmentBytes);
            NativeMemory.Fill(piece, bytes, zeroed ? (byte)0 : Garbage);
            NativeMemory.Fill(piece + bytes, FenceBytes, Fence);
            _allocations++;
            _allocatedBytes += (long)bytes;
            _liveBytes += (long)bytes;
            _live.Add((nint)piece, (long)bytes);
            return (nint)piece;
        }
    }

    protected override void Free(nint address, nuint bytes)
    {
        OnFree?.Invoke((long)bytes);
        lock (_lock)
        {
            if (!_live.TryGetValue(address, out long size))
            {
                _misuse.Add($"0x{address:x} was freed, which is free already or was never handed out.");
                return;
            }

            if (size != (long)bytes)
            {
                _misuse.Add($"0x{address:x} of {size} bytes was freed as {bytes} bytes.");
                return;
            }

            byte* piece = (byte*)address;
            if (new ReadOnlySpan<byte>(piece + bytes, FenceBytes).ContainsAnyExcept(Fence))
            {
                _misuse.Add($"0x{address:x} of {size} bytes was written past its end.");
            }

            _live.Remove(address);
            _liveBytes -= size;
            _frees++;
            NativeMemory.Fill(piece, bytes, Freed);
            NativeMemory.AlignedFree(piece);
        }
    }

    private long Read(ref long counter)
    {
        lock (_lock)
        {
            return counter;
        }
    }
}
