using System.Buffers;

namespace LoadResizeSave.Memory;

/// <summary>A new array for every image.</summary>
internal sealed class ManagedImageMemory : FlatImageMemory
{
    public override IMemoryOwner<byte> RentBytes(int length) => new ArrayBytes(new byte[length], length, pool: null);
}
