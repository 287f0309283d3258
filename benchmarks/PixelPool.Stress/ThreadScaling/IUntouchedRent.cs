namespace PixelPool.Stress.ThreadScaling;

/// <summary>Rents and returns, and writes nothing; used by all threads at the same time.</summary>
internal interface IUntouchedRent
{
    void RentAndReturn();
}
