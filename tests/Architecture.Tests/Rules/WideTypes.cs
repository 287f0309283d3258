using Architecture.Tests.Reading;

namespace Architecture.Tests.Rules;

/// <summary>A type that uses many others does the work of several. Delegates do not count: they are the shapes of a member's parameters, and nothing can change behind them.</summary>
internal static class WideTypes
{
    public static IEnumerable<string> Violations(Library library, int mostTypes, IReadOnlyCollection<string> except) =>
        from type in library.Types
        let used = library.TypeGraph.Next(type).Count(static other => !other.IsDelegate)
        where used > mostTypes && !except.Contains(type.Name)
        select $"""
            {type} uses {used} other types, {mostTypes} it may. Take a part with a name of its own out of it:
            {string.Join('\n', library.Steps(library.Uses.Where(use => use.From == type && !use.To.IsDelegate)))}
            """;
}
