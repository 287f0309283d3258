using Architecture.Tests.Reading;

namespace Architecture.Tests.Rules;

/// <summary>The list of the top's types that folders below may use names no more than it must, and nothing that leads back up.</summary>
internal static class TypesSpokenOfByAll
{
    public static IEnumerable<string> Violations(Library library, IEnumerable<string> names) => names.SelectMany(name => Violations(library, name));

    private static IEnumerable<string> Violations(Library library, string name)
    {
        LibraryType? type = library.Types.FirstOrDefault(type => type.Name == name && type.Folder == SourceFile.Top);
        if (!library.Uses.Any(use => use.To == type && use.From.Folder != SourceFile.Top))
        {
            yield return $"{name} is spoken of by all, but no folder uses a type of that name at the top of src/{library.Name}. Take it off the list in PixelPoolLayers.cs.";
        }
        else if (library.TypeGraph.ShortestCycle(type!) is { Count: > 0 } cycle)
        {
            yield return $"{name} is spoken of by all, and must not lead back to itself: cut one of these steps, or move the type to the folder that it leads to.\n"
                + string.Join('\n', library.StepsAround(cycle));
        }
    }
}
