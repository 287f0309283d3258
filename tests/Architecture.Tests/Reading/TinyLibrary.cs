namespace Architecture.Tests.Reading;

/// <summary>Libraries of a few lines.</summary>
internal static class TinyLibrary
{
    /// <summary>Each line is a file: its path, a colon, and what is in it.</summary>
    public static Library Of(params string[] files) =>
        LibraryReader.Read("Tiny", files.Select(static file => new SourceFile(file[..file.IndexOf(':')], file[(file.IndexOf(':') + 1)..].Trim())));

    /// <summary>A library in which types use each other as said: <c>"Slab → Depot"</c>. Each type has a folder, or is at the top: <c>"Pooling/Slab → Throw"</c>.</summary>
    public static Library OfUses(params string[] uses)
    {
        (string From, string To)[] pairs = [.. uses.Select(static use => use.Split(" → ")).Select(static ends => (ends[0], ends[1]))];
        return Of(
        [
            .. from type in pairs.SelectMany(static pair => new[] { pair.From, pair.To }).Distinct()
               let used = pairs.Where(pair => pair.From == type).Select(static (pair, i) => $"{Name(pair.To)}? _{i};")
               select $"{type}.cs: class {Name(type)} {{ {string.Join(' ', used)} }}",
        ]);
    }

    private static string Name(string path) => Path.GetFileName(path);
}
