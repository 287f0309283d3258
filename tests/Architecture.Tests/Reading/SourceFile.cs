namespace Architecture.Tests.Reading;

/// <summary>A C# file of a library.</summary>
/// <param name="Path">Seen from the folder of the project, with forward slashes: <c>Pooling/Slab.cs</c>.</param>
/// <param name="Text">What is in it.</param>
internal sealed record SourceFile(string Path, string Text)
{
    /// <summary>The folder of the project itself.</summary>
    public const string Top = "(top)";

    /// <summary>The folder that a file lies in, seen from that of the project: <c>Diagnostics/Leaks</c>.</summary>
    public static string FolderOf(string path) => path.LastIndexOf('/') is > 0 and int end ? path[..end] : Top;
}
