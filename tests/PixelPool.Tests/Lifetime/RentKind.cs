namespace PixelPool.Tests.Lifetime;

/// <summary>Where the memory of an image comes from: every tier, with one and with several pieces.</summary>
public enum RentKind
{
    Array,
    Slab,
    OneBlock,
    ManyBlocks,
    UnpooledPieces,
    Contiguous,
    LongRow,
}
