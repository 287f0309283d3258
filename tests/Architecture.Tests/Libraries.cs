using System.Collections.Concurrent;
using Architecture.Tests.Reading;

namespace Architecture.Tests;

/// <summary>The projects in <c>src</c>, each read once.</summary>
internal static class Libraries
{
    private static readonly ConcurrentDictionary<string, Lazy<Library>> s_read = new();

    public static Library Of(string project) =>
        s_read.GetOrAdd(project, static project => new Lazy<Library>(() => LibraryReader.Read(project, Repository.FilesOf(project)))).Value;
}
