using System.Text;

namespace PixelPool.Diagnostics;

/// <summary>
/// Thrown by <see cref="LeakTracker.AssertNone"/>: something was not returned, or was returned twice. The message names the code that rented it, or that
/// returned it again.
/// </summary>
public sealed class PixelLeakException : Exception
{
    private const int MostNamed = 10;

    internal PixelLeakException(IReadOnlyList<RentRecord> leaked, IReadOnlyList<RentRecord> held, IReadOnlyList<RentStack?> secondReturns)
        : base(Describe(leaked, held, secondReturns))
    {
        Leaked = leaked;
        Held = held;
        SecondReturns = [.. secondReturns.Select(static stack => stack?.Place)];
    }

    /// <summary>Rents, external charges and reservations that nobody disposed: a finalizer returned them.</summary>
    public IReadOnlyList<RentRecord> Leaked { get; }

    /// <summary>Rents, external charges and reservations that are still held, the oldest first.</summary>
    public IReadOnlyList<RentRecord> Held { get; }

    /// <summary>
    /// Where leases were disposed again, and where native code was called that released pixels again, in the form of <see cref="RentRecord.Place"/>. Null for a
    /// place that could not be recorded, as on native threads. At most 1,024 of them.
    /// </summary>
    public IReadOnlyList<string?> SecondReturns { get; }

    private static string Describe(IReadOnlyList<RentRecord> leaked, IReadOnlyList<RentRecord> held, IReadOnlyList<RentStack?> secondReturns)
    {
        var text = new StringBuilder();
        Append(text, Title(leaked, "forgotten"), leaked, static rent => rent.ToString(), StackOf);
        Append(text, Title(held, "still held"), held, static rent => rent.ToString(), StackOf);
        Append(
            text,
            $"{Plural.Of(secondReturns.Count, "handle")} {(secondReturns.Count == 1 ? "was" : "were")} disposed twice:",
            secondReturns,
            static stack => "second Dispose at " + (stack?.Place ?? "a place that was not recorded"),
            static stack => stack?.Text);
        return text.ToString();
    }

    // Of what a view holds, the stack of the view: who rented it did nothing wrong.
    private static string? StackOf(RentRecord rent) => rent.Holder == RentHolder.Owner ? rent.StackText : rent.HolderStackText ?? rent.StackText;

    private static string Count(IReadOnlyList<RentRecord> rents) =>
        string.Join(", ", rents.GroupBy(static rent => rent.Kind).OrderBy(static kind => kind.Key).Select(static kind => Plural.Of(kind.Count(), NameOf(kind.Key))));

    private static string Title(IReadOnlyList<RentRecord> rents, string state) => $"{Count(rents)} {(rents.Count == 1 ? "is" : "are")} {state}:";

    private static string NameOf(RentKind kind) =>
        kind switch { RentKind.ExternalCharge => "external charge", RentKind.Reservation => "reservation", _ => "rent" };

    private static void Append<T>(StringBuilder text, string title, IReadOnlyList<T> items, Func<T, string> describe, Func<T, string?> stackOf)
    {
        if (items.Count == 0)
        {
            return;
        }

        text.Append(text.Length == 0 ? string.Empty : Environment.NewLine).Append(title);
        for (int i = 0; i < items.Count && i < MostNamed; i++)
        {
            text.AppendLine().Append("- ").Append(describe(items[i]));
            if (stackOf(items[i]) is { } stack)
            {
                text.AppendLine().Append(stack.TrimEnd());
            }
        }

        if (items.Count > MostNamed)
        {
            text.AppendLine().Append("- and ").Append(items.Count - MostNamed).Append(" more");
        }
    }
}
