using System.Buffers;

namespace PixelPool.Stress.SmallBursts;

/// <summary>Arrays of the shared pool.</summary>
internal sealed class ArrayPoolSmallMemory : SmallMemory
{
    public override ISmallPieces CreatePieces(Random random) =>
        new SmallPieces<byte[]>(() => MixedSize(random), Rent, static array => ArrayPool<byte>.Shared.Return(array));

    private static byte[] Rent(int size)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(size);
        array.AsSpan().Fill(1);
        return array;
    }
}
