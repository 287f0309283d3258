using System.Diagnostics;
using PixelPool.Lifetime;

namespace PixelPool.Diagnostics;

/// <summary>Describes one request that waits for budget: <see cref="PixelAllocator.GetWaitingRents"/>.</summary>
public sealed class WaitingRent
{
    private readonly WaitFacts _wait;

    internal WaitingRent(in WaitFacts wait) => _wait = wait;

    /// <summary>Bytes that it asks for: whole blocks, not only the pixels.</summary>
    public long Bytes => _wait.Bytes;

    /// <summary>How long it has waited.</summary>
    public TimeSpan Waited => _wait.Waited;

    /// <summary>The budget that it waits for, in words, as <see cref="PixelBudgetExceededException.Budget"/> has it.</summary>
    public string Budget => _wait.Budget;

    /// <summary>What it is for: the <see cref="RentScope.Tag"/> of the scope that asks. Null without a tag.</summary>
    public string? Tag => _wait.Tag;

    /// <summary>
    /// The method that asked, with its file and line if there are symbols: <c>Namespace.Type.Method in file:line 42</c>. Null when it was not recorded
    /// (<see cref="LeakTracking"/>).
    /// </summary>
    public string? Place => Asked?.Place;

    /// <summary>The stack of the request. Null when it was not recorded, and when some of its code can be unloaded: then there is only <see cref="StackText"/>.</summary>
    public StackTrace? Stack => Asked?.Stack;

    /// <summary>The stack of the request as text, one line for each frame. Null when it was not recorded.</summary>
    public string? StackText => Asked?.Text;

    internal static WaitingRent[] Of(WaitFacts[] waits) => Array.ConvertAll(waits, static wait => new WaitingRent(in wait));

    private RentStack? Asked => (RentStack?)_wait.Trace?.Stack;

    /// <summary>Size, tag, how long it has waited, the budget and the place, in one line.</summary>
    public override string ToString() =>
        ByteSize.Format(Bytes) + (Tag is null ? string.Empty : $" of \"{Tag}\"")
        + FormattableString.Invariant($", waiting for {Waited.TotalSeconds:0.###} s for the {Budget}, asked for at ") + (Place ?? "a place that was not recorded");
}
