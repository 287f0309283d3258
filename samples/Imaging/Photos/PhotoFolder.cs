using Imaging.Codecs;

namespace Imaging.Photos;

/// <summary>Finds the photos in a folder, always in the same order.</summary>
public static class PhotoFolder
{
    /// <summary>All files that are called like photos; not those in folders within.</summary>
    public static IReadOnlyList<Photo> Find(string folder)
    {
        string[] paths = [.. Directory.EnumerateFiles(folder).Where(ImageCodecs.HasKnownExtension).Order(StringComparer.Ordinal)];

        // Where only the extension tells two photos apart, it stays in the thumbnail's name.
        HashSet<string> ambiguous = paths
            .GroupBy(path => Path.GetFileNameWithoutExtension(path), StringComparer.OrdinalIgnoreCase)
            .Where(group => group.Count() > 1)
            .Select(group => group.Key)
            .ToHashSet(StringComparer.OrdinalIgnoreCase);

        return
        [
            .. paths.Select(path => Path.GetFileNameWithoutExtension(path) is var name && ambiguous.Contains(name)
                ? new Photo(path, Path.GetFileName(path))
                : new Photo(path, name)),
        ];
    }
}
