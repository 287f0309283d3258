using System.Runtime.InteropServices;

namespace PixelPool.Stress.SmallBursts;

/// <summary>Pieces of <see cref="NativeMemory"/>: those of <c>malloc</c>, whichever that is.</summary>
internal sealed unsafe class NativeSmallMemory : SmallMemory
{
    public override ISmallPieces CreatePieces(Random random) =>
        new SmallPieces<nint>(() => MixedSize(random), Allocate, static address => NativeMemory.Free((void*)address));

    private static nint Allocate(int size)
    {
        void* piece = NativeMemory.Alloc((nuint)size);
        NativeMemory.Fill(piece, (nuint)size, 1);
        return (nint)piece;
    }
}
