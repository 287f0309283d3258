namespace PixelPool.Tests.ModelBased;

/// <summary>What is done to a budget for which requests wait.</summary>
internal enum WaitAct
{
    RentAsync,
    LeaseAsync,
    RentAsyncInScope,
    TryRent,
    Rent,
    RentOnThread,
    Return,
    Cancel,
    PassTime,
    CloseScope,
    Trim,
}
