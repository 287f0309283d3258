using System.Buffers;

namespace PixelPool.Tests.Buffers.Wrapping;

/// <summary>An owner of managed memory that counts pins and disposals.</summary>
internal sealed unsafe class CountingOwner(int length) : MemoryManager<byte>
{
    private readonly byte[] _array = GC.AllocateArray<byte>(length, pinned: true);

    public int Pins { get; private set; }

    public int Disposals { get; private set; }

    /// <summary>Whether it cannot be pinned.</summary>
    public bool RefusesPins { get; init; }

    /// <summary>Whether a pin has no address.</summary>
    public bool PinsNothing { get; init; }

    public override Span<byte> GetSpan() => _array;

    public override MemoryHandle Pin(int elementIndex = 0)
    {
        if (RefusesPins)
        {
            throw new NotSupportedException("It cannot be pinned.");
        }

        Pins++;
        fixed (byte* start = _array)
        {
            return new MemoryHandle(PinsNothing ? null : start + elementIndex, pinnable: this);
        }
    }

    public override void Unpin() => Pins--;

    protected override void Dispose(bool disposing) => Disposals++;
}
