using YamlDotNet.RepresentationModel;

namespace Release.Tests;

/// <summary>Templates of issues have what the site needs to show them.</summary>
public sealed class IssueTemplateTests
{
    private const string Folder = ".github/ISSUE_TEMPLATE";

    public static TheoryData<string> Templates => [.. YamlFile.In(Folder).Where(static file => file != "config.yml")];

    [Theory]
    [MemberData(nameof(Templates))]
    public void A_template_is_a_form(string template)
    {
        YamlMappingNode form = YamlFile.Read($"{Folder}/{template}").Root;

        Assert.All(["name", "description", "labels", "body"], key => Assert.True(form.Children.ContainsKey(key), $"{template} has no {key}."));
        YamlMappingNode[] fields = [.. ((YamlSequenceNode)form["body"]).Cast<YamlMappingNode>().Where(static field => field["type"].ToString() != "markdown")];
        Assert.All(fields, static field => Assert.Contains(field["type"].ToString(), new[] { "input", "textarea", "dropdown", "checkboxes" }));
        Assert.All(fields, static field => Assert.NotEmpty(field["attributes"]["label"].ToString()));
        Assert.Equal(fields.Length, fields.Select(static field => field["id"].ToString()).Distinct().Count());
    }

    [Fact]
    public void Vulnerabilities_go_elsewhere()
    {
        YamlFile config = YamlFile.Read($"{Folder}/config.yml");

        Assert.Equal("false", config.Root["blank_issues_enabled"].ToString());
        Assert.Contains(config.ValuesOf("url"), static url => url.EndsWith("/security/advisories/new", StringComparison.Ordinal));
    }
}
