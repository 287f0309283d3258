using System.Buffers;

namespace PixelPool.Stress.ThreadScaling.Renting;

/// <summary>One array of <see cref="ArrayPool{T}.Shared"/>.</summary>
internal readonly struct ArrayPoolRenter(RentWorkload workload) : IRenter
{
    private readonly int _bytes = workload.Bytes;

    public void RentAndReturn() => ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(_bytes));
}
