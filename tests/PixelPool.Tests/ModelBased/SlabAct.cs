namespace PixelPool.Tests.ModelBased;

/// <summary>What is done to pieces of slabs.</summary>
internal enum SlabAct
{
    Rent,
    RentMany,
    RentAsync,
    Cancel,
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
