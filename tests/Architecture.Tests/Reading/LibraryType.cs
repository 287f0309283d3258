namespace Architecture.Tests.Reading;

/// <summary>A type of a library, with everything that is declared inside of it.</summary>
internal sealed class LibraryType(string name, string folder, IReadOnlyList<string> files)
{
    /// <summary>Its name, and the number of its type parameters: <c>PixelBuffer&lt;1&gt;</c>.</summary>
    public string Name { get; } = name;

    /// <summary>Where the file with the shortest name lies, of those that the type is spread over.</summary>
    public string Folder { get; } = folder;

    /// <summary>All files that the type is spread over.</summary>
    public IReadOnlyList<string> Files { get; } = files;

    public override string ToString() => Name;
}
