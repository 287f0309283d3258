using System.Buffers;

namespace LoadResizeSave.Memory;

/// <summary>Arrays from <see cref="ArrayPool{T}.Shared"/>, which rounds up to powers of two.</summary>
internal sealed class ArrayPoolImageMemory : FlatImageMemory
{
    public override IMemoryOwner<byte> RentBytes(int length) =>
        new ArrayBytes(ArrayPool<byte>.Shared.Rent(length), length, ArrayPool<byte>.Shared);
}
