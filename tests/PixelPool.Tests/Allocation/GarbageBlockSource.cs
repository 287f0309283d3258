using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using PixelPool.Native;

namespace PixelPool.Tests.Allocation;

/// <summary>A system whose fresh memory is full of garbage, as that of the portable source may be, and that says what comes back.</summary>
internal sealed unsafe class GarbageBlockSource : BlockSource
{
    public const byte Garbage = 0xA7;

    private readonly ConcurrentDictionary<nint, long> _live = new();

    public override bool IsZeroed => false;

    /// <summary>Bytes of every piece that is out, in any order.</summary>
    public IEnumerable<long> LivePieces => _live.Values;

    public long LiveBytes => _live.Values.Sum();

    /// <summary>Gets every piece just before it goes: its address and its bytes.</summary>
    public Action<nint, long>? Freeing { get; set; }

    protected override nint Allocate(nuint bytes, bool hugePages)
    {
        void* piece = NativeMemory.AlignedAlloc(bytes, AlignmentBytes);
        NativeMemory.Fill(piece, bytes, Garbage);
        _live[(nint)piece] = (long)bytes;
        return (nint)piece;
    }

    protected override void Free(nint address, nuint bytes)
    {
        Assert.True(_live.TryRemove(address, out long allocated), "A piece was freed twice, or never allocated.");
        Assert.Equal(allocated, (long)bytes);
        Freeing?.Invoke(address, (long)bytes);
        NativeMemory.AlignedFree((void*)address);
    }
}
