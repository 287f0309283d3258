namespace PixelPool.Tests.ModelBased;

/// <summary>A stream in pooled memory does what a memory stream does, whatever it is rented from, and a refusal leaves it as it was.</summary>
/// <remarks><see cref="ModelRun"/> says how a run is made longer, and repeated.</remarks>
[Trait("Category", "Long")]
public class StreamModelTests
{
    private static readonly (int Weight, StreamAct Act)[] s_weights =
    [
        (8, StreamAct.Read),
        (10, StreamAct.Write),
        (3, StreamAct.ReadByte),
        (4, StreamAct.WriteByte),
        (10, StreamAct.Lend),
        (4, StreamAct.Seek),
        (4, StreamAct.SetPosition),
        (5, StreamAct.SetLength),
        (3, StreamAct.Copy),
        (2, StreamAct.Refuse),
        (1, StreamAct.Trim),
        (1, StreamAct.Reopen),
    ];

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool, false, false)]
    [InlineData(SmallBufferStrategy.Slab, false, true)]
    [InlineData(SmallBufferStrategy.None, true, false)]
    [InlineData(SmallBufferStrategy.ArrayPool, true, true)]
    public void Does_what_a_memory_stream_does(SmallBufferStrategy small, bool hasBudget, bool inScope) =>
        ModelRun.Check(0.05, s_weights, StreamSubject.MostBytes, () => new StreamSubject(small, hasBudget, inScope));
}
