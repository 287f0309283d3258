using System.Text;

namespace PixelPool.Diagnostics;

/// <summary>Thrown by <see cref="LeakTracker.AssertNone"/>: something was not given back, or was given back twice. The message names the culprits.</summary>
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

    /// <summary>Rents, external charges and reservations that were forgotten: a finalizer returned them.</summary>
    public IReadOnlyList<RentRecord> Leaked { get; }

    /// <summary>Rents, external charges and reservations that somebody still holds, the oldest first.</summary>
    public IReadOnlyList<RentRecord> Held { get; }

    /// <summary>
    /// Where leases were disposed that had been disposed already, in the form of <see cref="RentRecord.Place"/>; null for a place that could not be recorded.
    /// </summary>
    public IReadOnlyList<string?> SecondReturns { get; }

    private static string Describe(IReadOnlyList<RentRecord> leaked, IReadOnlyList<RentRecord> held, IReadOnlyList<RentStack?> secondReturns)
    {
        var text = new StringBuilder();
        Append(text, Count(leaked, "rent is forgotten:", "rents are forgotten:"), leaked, static rent => rent.ToString(), StackOf);
        Append(text, Count(held, "rent is still held:", "rents are still held:"), held, static rent => rent.ToString(), StackOf);
        Append(
            text,
            Count(secondReturns, "lease was disposed a second time:", "leases were disposed a second time:"),
            secondReturns,
            static stack => "at " + (stack?.Place ?? "a place that was not recorded"),
            static stack => stack?.Text);
        return text.ToString();
    }

    // Of what a view holds, the stack of the view: who rented it did nothing wrong.
    private static string? StackOf(RentRecord rent) => rent.Holder == RentHolder.Owner ? rent.StackText : rent.HolderStackText ?? rent.StackText;

    private static string Count<T>(IReadOnlyList<T> items, string one, string many) => $"{items.Count} {(items.Count == 1 ? one : many)}";

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
