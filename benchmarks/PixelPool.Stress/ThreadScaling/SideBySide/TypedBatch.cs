namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>A batch of which the compiler knows who rents.</summary>
internal sealed class TypedBatch<TRent>(TRent rent) : UntouchedBatch
    where TRent : struct, IUntouchedRent
{
    public override void Run()
    {
        for (int i = 0; i < Rents; i++)
        {
            rent.RentAndReturn();
        }
    }
}
