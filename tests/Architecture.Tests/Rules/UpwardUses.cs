using Architecture.Tests.Reading;

namespace Architecture.Tests.Rules;

/// <summary>A folder uses those below it, never one above.</summary>
internal static class UpwardUses
{
    /// <param name="spokenOfByAll">The types of the top that folders below may use.</param>
    public static IEnumerable<string> Violations(Library library, Layers layers, IReadOnlyCollection<string> spokenOfByAll) =>
        from use in library.Uses
        where layers.IsAbove(use.To.Folder, use.From.Folder) && !(use.To.Folder == SourceFile.Top && spokenOfByAll.Contains(use.To.Name))
        group use by (From: use.From.Folder, To: use.To.Folder) into upward
        select $"{upward.Key.From} uses {upward.Key.To}, which is above it:\n{string.Join('\n', library.Steps(upward))}";
}
