namespace PixelPool.Diagnostics;

/// <summary>Describes a request that has waited for budget longer than <see cref="PixelAllocatorOptions.LongWaitThreshold"/>, and what holds the budget.</summary>
public sealed class LongWaitEventArgs : EventArgs
{
    private const int MostNamed = 5;

    private readonly Lazy<string> _holders;

    internal LongWaitEventArgs(WaitingRent wait, IReadOnlyList<WaitingRent> waiting, IReadOnlyList<RentRecord> held, Lazy<string> holders, bool isDeadlock)
    {
        _holders = holders;
        Wait = wait;
        Waiting = waiting;
        Held = held;
        IsDeadlock = isDeadlock;
    }

    /// <summary>The request. It may have ended since.</summary>
    public WaitingRent Wait { get; }

    /// <summary>All requests that waited at that moment, this one included. Those that had waited longest come first.</summary>
    public IReadOnlyList<WaitingRent> Waiting { get; }

    /// <summary>Everything that was held at that moment, as <see cref="PixelAllocator.GetOutstandingRents"/> lists it.</summary>
    public IReadOnlyList<RentRecord> Held { get; }

    /// <summary>
    /// True for a deadlock: everything that is held belongs to threads or scopes that are themselves waiting for memory that does not fit. Unless other code returns memory, none of them can
    /// continue. False when this is not known: the code behind an asynchronous request is known only if it asks through a scope, and an image that was disposed counts as used by somebody
    /// else as long as a view or a pin of it is. It is a guess: threads are known by number, so what was rented on a thread that has ended counts as rented on a waiting thread with the same
    /// number.
    /// </summary>
    public bool IsDeadlock { get; }

    /// <summary>Who waits for what, and who holds it, in several lines.</summary>
    public override string ToString()
    {
        string deadlock = IsDeadlock
            ? "This is a deadlock: everything that is held was rented by threads, or through scopes, that wait themselves. Reserve all that one operation needs at once (ReserveScope)."
                + Environment.NewLine
            : string.Empty;
        return $"{Wait}.{Environment.NewLine}{deadlock}{Plural.Of(Waiting.Count, "request")} {(Waiting.Count == 1 ? "waits" : "wait")}. {_holders.Value}";
    }

    /// <summary>Who holds what was held.</summary>
    internal static string Describe(IReadOnlyList<RentRecord> held) => held.Where(static rent => rent.CountsByItself).DescribeHolders(MostNamed);
}
