namespace Architecture.Tests.Reading;

/// <summary>A place where a type names another one, or a member of another one.</summary>
/// <param name="File">Seen from the folder of the project.</param>
/// <param name="Line">The first line is 1.</param>
internal sealed record Use(LibraryType From, LibraryType To, string File, int Line);
