namespace PixelPool.Tests.ModelBased;

/// <summary>What is done to objects of one size.</summary>
internal enum FixedBlockAct
{
    Allocate,
    AllocateMany,
    Free,
    FreeMany,
    FreeElsewhere,
    FreeAgain,
    FreeForeign,
    Clear,
    Trim,
    PassTime,
    Refuse,
}
