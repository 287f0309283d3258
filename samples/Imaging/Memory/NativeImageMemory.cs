using System.Buffers;

namespace Imaging.Memory;

/// <summary>Images by <c>malloc</c> and <c>free</c>. A forgotten one is lost for good: nothing stands behind it.</summary>
public sealed class NativeImageMemory : FlatImageMemory
{
    /// <inheritdoc/>
    public override IMemoryOwner<byte> RentBytes(int length) => new NativeBytes(length);
}
