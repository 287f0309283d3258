namespace ImageSharp.Tests.Infrastructure;

/// <summary>Photos that may lie beside the repository: <c>shared/photos</c>.</summary>
internal static class PhotoFolder
{
    public static string? Path { get; } = Find();

    public static IEnumerable<string> Files() => Path is null ? [] : Directory.EnumerateFiles(Path, "*.jpg").Order(StringComparer.Ordinal);

    private static string? Find()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            string path = System.IO.Path.Combine(folder.FullName, "shared", "photos");
            if (Directory.Exists(path))
            {
                return path;
            }
        }

        return null;
    }
}
