using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory;

/// <summary>A contender and the type of its renter.</summary>
internal sealed record TypedContender<TRenter, TImage>(string Name, string Title, Func<TRenter> Create) : SmallContender(Name, Title)
    where TRenter : struct, IRenter<TImage>
    where TImage : struct
{
    public override TResult Run<TResult>(IRenterWork<TResult> work) => work.Run<TRenter, TImage>(Create());
}
