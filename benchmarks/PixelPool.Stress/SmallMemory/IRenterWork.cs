using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory;

/// <summary>Something measured with a renter whose type the compiler knows, so that no virtual call is part of the figures.</summary>
internal interface IRenterWork<out TResult>
{
    TResult Run<TRenter, TImage>(TRenter renter)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct;
}
