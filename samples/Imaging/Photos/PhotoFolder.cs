using Imaging.Codecs;

namespace Imaging.Photos;

/// <summary>Finds the photos in a folder, always in the same order.</summary>
public static class PhotoFolder
{
    /// <summary>All files that are called like photos; not those in folders within.</summary>
    public static IReadOnlyList<Photo> Find(string folder)
    {
        Photo[] photos =
        [
            .. Directory.EnumerateFiles(folder).Where(ImageCodecs.HasKnownExtension).Order(StringComparer.Ordinal)
                .Select(path => new Photo(path, Path.GetFileNameWithoutExtension(path))),
        ];

        // Where only the extension tells two photos apart, it stays in the thumbnail's name. That can be the name of a third one's.
        while (Ambiguous(photos) is { Count: > 0 } ambiguous)
        {
            photos = [.. photos.Select(photo => ambiguous.Contains(photo) ? photo with { ThumbnailName = photo.FileName } : photo)];
        }

        return photos;
    }

    /// <summary>Photos that share the name of their thumbnail with others, and can have a longer one.</summary>
    private static HashSet<Photo> Ambiguous(Photo[] photos) =>
    [
        .. photos
            .GroupBy(photo => photo.ThumbnailName, StringComparer.OrdinalIgnoreCase)
            .Where(group => group.Count() > 1)
            .SelectMany(group => group)
            .Where(photo => photo.ThumbnailName != photo.FileName),
    ];
}
