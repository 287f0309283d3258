using System.Buffers;

namespace LoadResizeSave.Memory;

/// <summary>Images by <c>malloc</c> and <c>free</c>. A forgotten one is lost for good: nothing stands behind it.</summary>
internal sealed class NativeImageMemory : FlatImageMemory
{
    public override IMemoryOwner<byte> RentBytes(int length) => new NativeBytes(length);
}
