using Architecture.Tests.Reading;

namespace Architecture.Tests.Rules;

/// <summary>A type in many files is several types in one.</summary>
internal static class SpreadTypes
{
    public static IEnumerable<string> Violations(Library library, int mostFiles, IReadOnlyCollection<string> except) =>
        from type in library.Types
        where type.Files.Count > mostFiles && !except.Contains(type.Name)
        select $"{type} is spread over {type.Files.Count} files, {mostFiles} it may be. Make types of its parts:\n{string.Join('\n', type.Files.Select(file => $"  src/{library.Name}/{file}"))}";
}
