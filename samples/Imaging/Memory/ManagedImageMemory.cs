using System.Buffers;

namespace Imaging.Memory;

/// <summary>A new array for every image.</summary>
public sealed class ManagedImageMemory : FlatImageMemory
{
    /// <inheritdoc/>
    public override IMemoryOwner<byte> RentBytes(int length) => new ArrayBytes(new byte[length], length, pool: null);
}
