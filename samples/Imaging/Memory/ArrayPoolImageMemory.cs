using System.Buffers;

namespace Imaging.Memory;

/// <summary>Arrays from <see cref="ArrayPool{T}.Shared"/>, which rounds up to powers of two.</summary>
public sealed class ArrayPoolImageMemory : FlatImageMemory
{
    /// <inheritdoc/>
    public override IMemoryOwner<byte> RentBytes(int length) =>
        new ArrayBytes(ArrayPool<byte>.Shared.Rent(length), length, ArrayPool<byte>.Shared);
}
