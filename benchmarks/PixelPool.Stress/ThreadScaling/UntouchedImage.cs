using PixelPool.Stress.Renting;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>A square image.</summary>
internal readonly struct UntouchedImage<TRenter, TImage>(TRenter renter, RentWorkload workload) : IUntouchedRent
    where TRenter : struct, IRenter<TImage>
    where TImage : struct
{
    private readonly TRenter _renter = renter;
    private readonly int _side = workload.Side;

    public void RentAndReturn() => _renter.Return(_renter.Rent(_side, _side));
}
