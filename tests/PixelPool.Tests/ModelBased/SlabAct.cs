namespace PixelPool.Tests.ModelBased;

/// <summary>What is done to pieces of slabs.</summary>
internal enum SlabAct
{
    Rent,
    RentMany,
    Return,
    ReturnMany,
    ReturnElsewhere,
    ReturnAgain,
    Write,
    Forget,
    Trim,
    PassTime,
    RunShort,
    Refuse,
}
