using System.Buffers;
using System.Runtime.InteropServices;

namespace Imaging.Memory;

/// <summary>Bytes from the C library's heap.</summary>
internal sealed unsafe class NativeBytes(int length) : MemoryManager<byte>
{
    private void* _bytes = NativeMemory.Alloc((nuint)length);

    public override Span<byte> GetSpan() => new(_bytes, length);

    public override MemoryHandle Pin(int elementIndex = 0) => new((byte*)_bytes + elementIndex);

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
        NativeMemory.Free(_bytes);
        _bytes = null;
    }
}
