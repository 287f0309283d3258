namespace PixelPool.Stress.ThreadScaling;

/// <summary>Rents and returns, and writes nothing. Each thread has a copy.</summary>
internal interface IUntouchedRent
{
    void RentAndReturn();

    /// <summary>The thread ends: what it still holds is returned.</summary>
    void End()
    {
    }
}
