using PixelPool.Tests.FixedBlocks;

namespace PixelPool.Tests.ModelBased;

/// <summary>Objects of one size: none is in two hands, none is refused while there is room, and the blocks that are rented are those with objects in them.</summary>
/// <remarks><see cref="ModelRun"/> says how a run is made longer, and repeated.</remarks>
[Trait("Category", "Long")]
public class FixedBlockModelTests
{
    private static readonly (int Weight, FixedBlockAct Act)[] s_weights =
    [
        (40, FixedBlockAct.Allocate),
        (25, FixedBlockAct.AllocateMany),
        (40, FixedBlockAct.Free),
        (25, FixedBlockAct.FreeMany),
        (2, FixedBlockAct.FreeElsewhere),
        (5, FixedBlockAct.FreeAgain),
        (5, FixedBlockAct.FreeForeign),
        (2, FixedBlockAct.Clear),
        (6, FixedBlockAct.Trim),
        (4, FixedBlockAct.PassTime),
        (5, FixedBlockAct.Refuse),
    ];

    [Theory]
    [InlineData(FixedBlockSupply.OwnPool)]
    [InlineData(FixedBlockSupply.CheckedFrees)]
    [InlineData(FixedBlockSupply.Allocator)]
    [InlineData(FixedBlockSupply.Budget)]
    public void No_object_is_in_two_hands(FixedBlockSupply supply)
    {
        Check<Sized.Of12>(supply);
        Check<Sized.Of200>(supply);
        Check<Sized.Of1000>(supply);
        Check<Sized.Of40000>(supply);
    }

    private static void Check<T>(FixedBlockSupply supply)
        where T : unmanaged =>
        ModelRun.Check(0.0125, s_weights, FixedBlockSubject<T>.MostAtOnce, () => new FixedBlockSubject<T>(supply));
}
