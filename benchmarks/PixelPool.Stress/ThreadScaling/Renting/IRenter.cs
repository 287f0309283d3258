namespace PixelPool.Stress.ThreadScaling.Renting;

/// <summary>Rents and returns; used by all threads at the same time.</summary>
internal interface IRenter
{
    void RentAndReturn();
}
