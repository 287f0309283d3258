using PixelPool.Diagnostics;

namespace ThumbnailService.Endpoints;

/// <summary>Memory that somebody holds.</summary>
/// <param name="Bytes">How much.</param>
/// <param name="Kind">What it is: memory, a library's own memory that is charged, or a reserved part of the budget, of which rents in the list use some.</param>
/// <param name="Seconds">For how long; null where that was not recorded.</param>
/// <param name="Place">The line that rented it; null where that was not recorded.</param>
/// <param name="Holder">Whether what was rented holds it, or a view or a pin of that.</param>
/// <param name="HolderPlace">The line that made the view or the pin; null where that was not recorded, or where there is none.</param>
/// <param name="Callers">Who called that, the nearest first, without the framework.</param>
internal sealed record RentReport(long Bytes, RentKind Kind, double? Seconds, string? Place, RentHolder Holder, string? HolderPlace, IReadOnlyList<string> Callers)
{
    private const int MaxCallers = 6;

    public static RentReport Of(RentRecord rent) =>
        new(rent.Bytes, rent.Kind, rent.Age?.TotalSeconds, rent.Place, rent.Holder, rent.HolderPlace, [.. CallersIn(rent.StackText)]);

    private static IEnumerable<string> CallersIn(string? stack) => stack is null
        ? []
        : stack.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .Skip(1)
            .Where(static frame => !frame.StartsWith("at System.", StringComparison.Ordinal) && !frame.StartsWith("at Microsoft.", StringComparison.Ordinal))
            .Take(MaxCallers);
}
