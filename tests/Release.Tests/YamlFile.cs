using YamlDotNet.RepresentationModel;

namespace Release.Tests;

/// <summary>A file of <c>.github</c>, read as YAML.</summary>
internal sealed class YamlFile
{
    private YamlFile(YamlMappingNode root) => Root = root;

    public YamlMappingNode Root { get; }

    /// <summary>All text values of keys with this name, wherever they are.</summary>
    public IEnumerable<string> ValuesOf(string key) =>
        from mapping in Root.AllNodes.OfType<YamlMappingNode>()
        from child in mapping.Children
        where child.Key is YamlScalarNode { Value: { } name } && name == key
        let text = (child.Value as YamlScalarNode)?.Value
        where text is not null
        select text;

    /// <param name="path">The path in the repository.</param>
    public static YamlFile Read(string path)
    {
        var stream = new YamlStream();
        using StreamReader reader = File.OpenText(Path.Combine(MarkdownPage.Root(), path));
        stream.Load(reader);
        return new YamlFile((YamlMappingNode)stream.Documents.Single().RootNode);
    }

    /// <summary>The YAML files of a folder.</summary>
    public static IEnumerable<string> In(string folder) =>
        Directory.EnumerateFiles(Path.Combine(MarkdownPage.Root(), folder), "*.yml").Select(static file => Path.GetFileName(file)).Order(StringComparer.Ordinal);
}
