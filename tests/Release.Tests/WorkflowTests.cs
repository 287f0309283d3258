using System.Diagnostics;
using System.Text.RegularExpressions;
using YamlDotNet.RepresentationModel;

namespace Release.Tests;

/// <summary>What can be known of a workflow before it runs: scripts exist, rights are few, actions have a version.</summary>
public sealed partial class WorkflowTests
{
    private const string Folder = ".github/workflows";

    public static TheoryData<string> Workflows => [.. YamlFile.In(Folder)];

    [Theory]
    [MemberData(nameof(Workflows))]
    public void Scripts_exist_and_can_be_run(string workflow)
    {
        string[] scripts = [.. Read(workflow).ValuesOf("run").SelectMany(static run => Script().Matches(run)).Select(static script => script.Value)];

        Assert.NotEmpty(scripts);
        foreach (string script in scripts)
        {
            string file = Path.Combine(MarkdownPage.Root(), script);
            Assert.True(File.Exists(file), $"{workflow} runs {script}, which does not exist.");
            Assert.True(OperatingSystem.IsWindows() || File.GetUnixFileMode(file).HasFlag(UnixFileMode.UserExecute), $"{script} is not executable.");
        }
    }

    [Theory]
    [MemberData(nameof(Workflows))]
    public void Actions_have_a_major_version(string workflow) =>
        Assert.All(Read(workflow).ValuesOf("uses"), static action => Assert.Matches("^[^@]+/[^@]+@v[0-9]+$", action));

    [Theory]
    [MemberData(nameof(Workflows))]
    public void Rights_are_given_to_jobs(string workflow)
    {
        YamlNode rights = Read(workflow).Root["permissions"];
        Assert.All(((YamlMappingNode)rights).Children, static right => Assert.Equal("read", ((YamlScalarNode)right.Value).Value));
    }

    /// <summary>The feed trusts this workflow, so there is no key that could be stolen.</summary>
    [Fact]
    public void A_release_uses_no_secret() =>
        Assert.DoesNotContain("secrets.", File.ReadAllText(Path.Combine(MarkdownPage.Root(), Folder, "release.yml")), StringComparison.Ordinal);

    [Theory]
    [InlineData("v1.2.3", false)]
    [InlineData("v1.2.3-preview.1", true)]
    public void A_preview_is_not_announced_as_a_release(string tag, bool isPreview)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Releases are made on Linux.");
        string announcement = Assert.Single(Read("release.yml").ValuesOf("run"), static run => run.Contains("gh release create", StringComparison.Ordinal));
        var start = new ProcessStartInfo("bash", ["-e", "-c", $"gh() {{ echo \"$@\"; }}\n{announcement}"])
        {
            RedirectStandardOutput = true,
            Environment = { ["TAG"] = tag, ["GITHUB_REPOSITORY"] = "owner/name" },
        };
        using Process shell = Process.Start(start)!;
        string[] said = shell.StandardOutput.ReadToEnd().Split(' ', '\n');
        shell.WaitForExit();
        Assert.Equal(["release", "create", tag], said[..3]);
        Assert.Equal(isPreview, said.Contains("--prerelease"));
    }

    private static YamlFile Read(string workflow) => YamlFile.Read($"{Folder}/{workflow}");

    [GeneratedRegex(@"(\.ci|docs|benchmarks)/[a-z/-]+")]
    private static partial Regex Script();
}
