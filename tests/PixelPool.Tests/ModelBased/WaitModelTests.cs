namespace PixelPool.Tests.ModelBased;

/// <summary>
/// A budget that is full: who waits for it, who is let in, and in which order. Nobody is refused while there is room, nobody waits who is next and fits, and what is charged is exact.
/// </summary>
/// <remarks><see cref="ModelRun"/> says how a run is made longer, and repeated.</remarks>
[Trait("Category", "Long")]
public class WaitModelTests
{
    private static readonly (int Weight, WaitAct Act)[] s_weights =
    [
        (12, WaitAct.RentAsync),
        (8, WaitAct.LeaseAsync),
        (12, WaitAct.RentAsyncInScope),
        (6, WaitAct.TryRent),
        (2, WaitAct.Rent),
        (12, WaitAct.RentOnThread),
        (20, WaitAct.Return),
        (3, WaitAct.Cancel),
        (6, WaitAct.PassTime),
        (2, WaitAct.CloseScope),
        (1, WaitAct.Trim),
    ];

    /// <param name="asksForLittle">Whether anybody asks for so little that it passes others.</param>
    /// <param name="blocks">Whether there are threads, too, that are blocked while they wait.</param>
    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public void Who_waits_is_let_in_in_the_order_that_is_documented(bool asksForLittle, bool blocks) =>
        ModelRun.Check(0.05, s_weights, WaitSubject.LimitBlocks, () => new WaitSubject(asksForLittle, blocks));
}
