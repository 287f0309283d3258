using Architecture.Tests.Graphs;
using Architecture.Tests.Reading;

namespace Architecture.Tests.Rules;

/// <summary>Of two folders one is below the other, and so round any longer way. The top is not asked: folders use its options, exceptions and figures.</summary>
internal static class FoldersThatUseEachOther
{
    public static IEnumerable<string> Violations(Library library)
    {
        var graph = new Graph<string>(
            from use in library.Uses
            where use.From.Folder != use.To.Folder && use.From.Folder != SourceFile.Top && use.To.Folder != SourceFile.Top
            select (use.From.Folder, use.To.Folder));
        foreach (IReadOnlyList<string> knot in graph.Knots())
        {
            (string Folder, string Other)[] pairs =
            [
                .. from folder in knot
                   from other in graph.Next(folder)
                   where string.CompareOrdinal(folder, other) < 0 && graph.Next(other).Contains(folder)
                   select (folder, other),
            ];
            foreach ((string folder, string other) in pairs)
            {
                yield return Pair(library, folder, other);
            }

            if (pairs.Length == 0)
            {
                yield return Circle(library, graph.ShortestCycle(knot.Order(StringComparer.Ordinal).First()));
            }
        }
    }

    private static string Pair(Library library, string folder, string other)
    {
        Use[] there = [.. Between(library, folder, other)];
        Use[] back = [.. Between(library, other, folder)];
        (string user, string used, Use[] fewer) = there.Length <= back.Length ? (folder, other, there) : (other, folder, back);
        return $"""
            {folder} and {other} use each other, in {there.Length} and {back.Length} places. Cut one direction, perhaps the one with fewer, {user} → {used}:
            {string.Join('\n', library.Steps(fewer))}
            """;
    }

    private static string Circle(Library library, IReadOnlyList<string> circle) =>
        $"""
        {string.Join(" → ", circle.Append(circle[0]))}: folders use each other in a circle. Cut it somewhere:
        {string.Join('\n', circle.Zip(circle.Skip(1).Append(circle[0])).SelectMany(step => library.Steps(Between(library, step.First, step.Second))))}
        """;

    private static IEnumerable<Use> Between(Library library, string folder, string other) =>
        library.Uses.Where(use => use.From.Folder == folder && use.To.Folder == other);
}
