using System.Buffers;
using System.Runtime.InteropServices;

namespace ManagedLibraries.Tests.CommunityToolkit;

/// <summary>Memory of 4 x 4 numbers that counts its pins.</summary>
internal sealed class CountedMemory : MemoryManager<float>
{
    private readonly float[] _array = new float[16];
    private GCHandle _handle;

    public int Pins { get; private set; }

    public override Span<float> GetSpan() => _array;

    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        _handle = GCHandle.Alloc(_array, GCHandleType.Pinned);
        Pins++;
        return new MemoryHandle((float*)_handle.AddrOfPinnedObject() + elementIndex, default, this);
    }

    public override void Unpin()
    {
        Pins--;
        _handle.Free();
    }

    protected override void Dispose(bool disposing)
    {
    }
}
