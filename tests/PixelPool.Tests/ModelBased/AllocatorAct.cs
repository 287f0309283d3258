namespace PixelPool.Tests.ModelBased;

/// <summary>What is done to an allocator.</summary>
internal enum AllocatorAct
{
    Rent,
    Return,
    ReturnAgain,
    Forget,
    View,
    Pin,
    Write,
    OpenScope,
    CloseScope,
    Charge,
    Trim,
    PassTime,
    RunShort,
    Refuse,
}
