namespace Architecture.Tests.Reading;

/// <summary>A type of a library, with everything that is declared inside of it.</summary>
internal sealed class LibraryType(string name, string folder, IReadOnlyList<string> files, bool isDelegate = false)
{
    /// <summary>Its name, and the number of its type parameters: <c>PixelBuffer&lt;1&gt;</c>.</summary>
    public string Name { get; } = name;

    /// <summary>Where the file with the shortest name lies, of those that the type is spread over.</summary>
    public string Folder { get; } = folder;

    /// <summary>All files that the type is spread over.</summary>
    public IReadOnlyList<string> Files { get; } = files;

    /// <summary>Whether it is a delegate: the shape of a parameter, behind which nothing can change.</summary>
    public bool IsDelegate { get; } = isDelegate;

    public override string ToString() => Name;
}
