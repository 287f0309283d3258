namespace PixelPool.Tests.ModelBased;

/// <summary>
/// Small memory from slabs: no two pieces overlap, and what is rented, held and charged is what the sizes of the pieces say. With a budget nobody waits while a piece is free.
/// </summary>
/// <remarks><see cref="ModelRun"/> says how a run is made longer, and repeated.</remarks>
[Trait("Category", "Long")]
public class SlabModelTests
{
    private static readonly (int Weight, SlabAct Act)[] s_weights =
    [
        (60, SlabAct.Rent),
        (20, SlabAct.RentMany),
        (20, SlabAct.RentAsync),
        (3, SlabAct.Cancel),
        (60, SlabAct.Return),
        (20, SlabAct.ReturnMany),
        (2, SlabAct.ReturnElsewhere),
        (6, SlabAct.ReturnAgain),
        (10, SlabAct.Write),
        (1, SlabAct.Forget),
        (12, SlabAct.Trim),
        (6, SlabAct.PassTime),
        (4, SlabAct.RunShort),
        (3, SlabAct.Refuse),
    ];

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public void No_piece_is_in_two_hands(bool hasBudget, bool clears) =>
        ModelRun.Check(0.05, s_weights, SlabSubject.MostBytes, () => new SlabSubject(hasBudget, clears));
}
