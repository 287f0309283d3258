using Architecture.Tests.Reading;

namespace Architecture.Tests.Rules;

/// <summary>Types that all reach each other are read, tested and changed together: only a few may be so.</summary>
internal static class LargeKnots
{
    public static IEnumerable<string> Violations(Library library, int mostTypes) =>
        from knot in library.TypeGraph.Knots()
        where knot.Count > mostTypes
        let cycle = knot.Select(library.TypeGraph.ShortestCycle)
            .OrderBy(static cycle => cycle.Count)
            .ThenByDescending(static cycle => cycle.DistinctBy(static type => type.Folder).Count())
            .First()
        select $"""
            {knot.Count} types reach each other, {mostTypes} may: {string.Join(", ", knot.OrderBy(static type => type.Name, StringComparer.Ordinal))}.
            Cut it, one cycle after the other. This is a shortest one:
            {string.Join('\n', library.StepsAround(cycle))}
            """;
}
