using System.Text;

namespace PixelPool.Diagnostics;

/// <summary>Thrown by <see cref="LeakTracker.AssertNone"/>: something was not given back. The message names the culprits.</summary>
public sealed class PixelLeakException : Exception
{
    private const int MostNamed = 10;

    internal PixelLeakException(IReadOnlyList<RentRecord> leaked, IReadOnlyList<RentRecord> held)
        : base(Describe(leaked, held))
    {
        Leaked = leaked;
        Held = held;
    }

    /// <summary>Rents, external charges and reservations that were forgotten: a finalizer returned them.</summary>
    public IReadOnlyList<RentRecord> Leaked { get; }

    /// <summary>Rents, external charges and reservations that somebody still holds, the oldest first.</summary>
    public IReadOnlyList<RentRecord> Held { get; }

    private static string Describe(IReadOnlyList<RentRecord> leaked, IReadOnlyList<RentRecord> held)
    {
        var text = new StringBuilder();
        Append(text, leaked, "forgotten");
        Append(text, held, "still held");
        return text.ToString();
    }

    private static string Count(IReadOnlyList<RentRecord> rents) =>
        string.Join(", ", rents.GroupBy(static rent => rent.Kind).OrderBy(static kind => kind.Key).Select(static kind => Plural.Of(kind.Count(), NameOf(kind.Key))));

    private static string NameOf(RentKind kind) =>
        kind switch { RentKind.ExternalCharge => "external charge", RentKind.Reservation => "reservation", _ => "rent" };

    private static void Append(StringBuilder text, IReadOnlyList<RentRecord> rents, string state)
    {
        if (rents.Count == 0)
        {
            return;
        }

        text.Append(text.Length == 0 ? string.Empty : Environment.NewLine);
        text.Append(Count(rents)).Append(rents.Count == 1 ? " is " : " are ").Append(state).Append(':');
        for (int i = 0; i < rents.Count && i < MostNamed; i++)
        {
            text.AppendLine().Append("- ").Append(rents[i]);
            if (rents[i].StackText is { } stack)
            {
                text.AppendLine().Append(stack.TrimEnd());
            }
        }

        if (rents.Count > MostNamed)
        {
            text.AppendLine().Append("- and ").Append(rents.Count - MostNamed).Append(" more");
        }
    }
}
