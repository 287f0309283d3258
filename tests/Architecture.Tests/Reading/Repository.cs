using System.Runtime.CompilerServices;

namespace Architecture.Tests.Reading;

/// <summary>Where the source of the libraries is.</summary>
internal static class Repository
{
    private static readonly string[] s_notOurs = ["bin", "obj", "Polyfills"];

    /// <summary>The folders of <c>src</c> that hold a project.</summary>
    public static IEnumerable<string> Projects =>
        Directory.EnumerateFiles(Source, "*.csproj", SearchOption.AllDirectories)
            .Select(static file => Path.GetFileName(Path.GetDirectoryName(file)!))
            .Order(StringComparer.Ordinal);

    private static string Source => Path.Combine(Root(), "src");

    /// <summary>All C# files of a project, but not what the build made, nor the attributes that older targets lack.</summary>
    public static IEnumerable<SourceFile> FilesOf(string project) => FilesIn(Path.Combine(Source, project), s_notOurs);

    /// <summary>All C# files of the repository, but not what the build made.</summary>
    public static IEnumerable<SourceFile> AllFiles() => FilesIn(Root(), ["bin", "obj", "artifacts"]);

    private static IEnumerable<SourceFile> FilesIn(string folder, string[] without) =>
        from file in Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
        let path = Path.GetRelativePath(folder, file).Replace('\\', '/')
        where !path.Split('/').Intersect(without).Any()
        orderby path
        select new SourceFile(path, File.ReadAllText(file));

    /// <summary>The build may write anywhere; the source of this file is always in the repository.</summary>
    private static string Root([CallerFilePath] string thisFile = "")
    {
        string? folder = Path.GetDirectoryName(thisFile);
        while (folder is not null && !File.Exists(Path.Combine(folder, "PixelPool.sln")))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return folder ?? throw new DirectoryNotFoundException($"No folder above {thisFile} holds PixelPool.sln.");
    }
}
