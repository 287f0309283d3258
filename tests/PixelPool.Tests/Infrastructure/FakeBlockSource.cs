using PixelPool.Native;

namespace PixelPool.Tests.Infrastructure;

/// <summary>
/// The operating system of a test: real memory, but every piece is known, and the next allocations fail on demand. Like the kernel it has no
/// pieces of 0 bytes. Thread-safe.
/// </summary>
/// <remarks>
/// A wrong free (twice, foreign, with another size, or of a piece that was written past its end) is never passed on: it is kept in
/// <see cref="Misuse"/>, because it may come from a finalizer, and <see cref="Dispose"/> fails the test with it. So is a wrong move of memory that is
/// divisible, a write to where memory was moved away from, and a part of a piece, or a block of another size, that is freed.
/// </remarks>
internal sealed partial class FakeBlockSource(bool zeroed = true, bool divisible = false, int divisibleBytes = FakePages.DefaultBytes) : BlockSource, IDisposable
{
    /// <summary>What fresh memory is filled with when it is not zeroed.</summary>
    public const byte Garbage = 0xCD;

    private readonly Lock _lock = new();
    private readonly FakeMemory _memory = divisible ? new FakePages(divisibleBytes) : new FakePieces();
    private long _failFrom = long.MaxValue;
    private long _failTo = long.MaxValue;
    private long _attempts;
    private long _allocations;
    private long _frees;
    private long _allocatedBytes;
    private long _moves;
    private long _failingMove = long.MaxValue;

    public override bool IsZeroed => zeroed;

    public override bool IsDivisible => divisible;

    /// <summary>Called with the size before every attempt, on the thread that asks, without a lock.</summary>
    public Action<long>? OnAllocate { get; set; }

    /// <summary>Called with the size before every free, on the thread that frees, without a lock.</summary>
    public Action<long>? OnFree { get; set; }

    /// <summary>The system has room for this many pieces at once; whatever is asked beyond fails.</summary>
    public int MaxLivePieces { get; set; } = int.MaxValue;

    /// <summary>The system has room for this many bytes at once; whatever is asked beyond fails.</summary>
    public long MaxLiveBytes { get; set; } = long.MaxValue;

    /// <summary>Whether blocks cannot be moved: by an old kernel, or because enough were.</summary>
    public bool MovesNothing { get; set; }

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

    public long LiveBytes
    {
        get
        {
            lock (_lock)
            {
                return _memory.LiveBytes;
            }
        }
    }

    /// <summary>Ranges of which the pages were let go, in the order in which that happened.</summary>
    public List<(nint Address, nint Bytes)> Discarded { get; } = [];

    /// <summary>Called with the size before pages are let go, on the thread that does it, without a lock.</summary>
    public Action<long>? OnDiscard { get; set; }

    /// <summary>Blocks that were moved so far.</summary>
    public long Moves => Read(ref _moves);

    /// <summary>Bytes of all allocations so far.</summary>
    public long AllocatedBytes => Read(ref _allocatedBytes);

    /// <summary>Pieces that are not freed. Those of memory that is divisible and lie side by side are one.</summary>
    public int LivePieces => LiveSizes.Length;

    /// <summary>The sizes of the pieces that are not freed, in ascending order.</summary>
    public long[] LiveSizes
    {
        get
        {
            lock (_lock)
            {
                return [.. _memory.LiveSizes.Order()];
            }
        }
    }

    /// <summary>What was done wrong so far.</summary>
    public string[] Misuse
    {
        get
        {
            lock (_lock)
            {
                return [.. _memory.Misuse];
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

    /// <summary>Lets the k-th move of a block from now on fail. 1 is the next one.</summary>
    public void FailMoveAt(long k)
    {
        lock (_lock)
        {
            _failingMove = _moves + k;
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
            _failFrom = _failTo = _failingMove = long.MaxValue;
            MaxLivePieces = int.MaxValue;
            MaxLiveBytes = long.MaxValue;
        }
    }

    /// <summary>Whether the address lies in a piece that is not freed.</summary>
    public bool IsLive(nint address)
    {
        lock (_lock)
        {
            return _memory.IsLive(address);
        }
    }

    /// <summary>Of memory that is not divisible, where the piece begins in which the address lies; 0 when it is in none.</summary>
    public nint StartOf(nint address)
    {
        lock (_lock)
        {
            return ((FakePieces)_memory).StartOf(address);
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

    /// <summary>Fails the test when something was freed wrongly. Pieces that live stay valid: a finalizer may still use them.</summary>
    public void Dispose()
    {
        AssertNoMisuse();
        lock (_lock)
        {
            _memory.End();
        }
    }

    protected override nint Allocate(nuint bytes, bool hugePages)
    {
        OnAllocate?.Invoke((long)bytes);
        lock (_lock)
        {
            nint address = Take((long)bytes, (long)bytes, hugePages);
            Remember(address, 1, (long)bytes, isBlock: false);
            return address;
        }
    }

    public override void Release(nint address, long bytes)
    {
        OnFree?.Invoke(bytes);
        lock (_lock)
        {
            _frees += TryForget(address, 1, bytes, isBlock: false) && _memory.Give(address, bytes) ? 1 : 0;
        }
    }

    private nint Take(long bytes, long newBytes, bool hugePages)
    {
        _attempts++;
        AskedForHugePages = hugePages;
        bool planned = _attempts >= _failFrom && _attempts < _failTo;
        if (planned || bytes == 0 || newBytes > MaxLiveBytes - _memory.LiveBytes || (MaxLivePieces != int.MaxValue && _memory.LiveSizes.Count() >= MaxLivePieces))
        {
            return 0;
        }

        nint address = _memory.Take(bytes, zeroed ? (byte)0 : Garbage);
        if (address != 0)
        {
            _allocations++;
            _allocatedBytes += newBytes;
        }

        return address;
    }

    public override unsafe void Discard(nint address, nint bytes)
    {
        OnDiscard?.Invoke(bytes);
        lock (_lock)
        {
            Discarded.Add((address, bytes));
            new Span<byte>((void*)address, (int)bytes).Fill(zeroed ? (byte)0 : Garbage);
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
