using Architecture.Tests.Reading;

namespace Architecture.Tests.Rules;

/// <summary>Every folder has its place in the picture, and the picture shows no other.</summary>
internal static class FoldersInLayers
{
    public static IEnumerable<string> Violations(Library library, Layers layers)
    {
        foreach (string folder in library.Folders.Except(layers.Folders))
        {
            yield return $"src/{library.Name}/{folder} is in no layer. Write it into PixelPoolLayers.cs and docs/architecture.md: above all that it uses, below all that use it.";
        }

        foreach (string folder in layers.Folders.Except(library.Folders))
        {
            yield return $"The layers show {folder}, but no file in src/{library.Name}/{folder} declares a type. Take it out of PixelPoolLayers.cs.";
        }
    }
}
