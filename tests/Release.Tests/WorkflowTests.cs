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
        string[] said = RunStep("gh release create", "gh() { echo \"$@\"; }", tag).Output.Split(' ', '\n');
        Assert.Equal(["release", "create", tag], said[..3]);
        Assert.Equal(isPreview, said.Contains("--prerelease"));
    }

    [Theory]
    [InlineData("true", "echo 1", true)]
    [InlineData("true", "echo 0", false)]
    [InlineData("true", "false", false)]
    [InlineData("false", "echo 1", false)]
    public void Only_a_commit_of_main_that_was_tested_is_released(string isOnMain, string testedRuns, bool isReleased) =>
        Assert.Equal(isReleased, RunStep("gh run list", $"git() {{ {isOnMain}; }}; gh() {{ {testedRuns}; }}", "v1.2.3").ExitCode == 0);

    /// <summary>Runs the step of a release that has this command, with functions in place of the programs it calls.</summary>
    private static (int ExitCode, string Output) RunStep(string command, string functions, string tag)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Releases are made on Linux.");
        string step = Assert.Single(Read("release.yml").ValuesOf("run"), run => run.Contains(command, StringComparison.Ordinal));
        var start = new ProcessStartInfo("bash", ["-e", "-c", $"{functions}\n{step}"])
        {
            RedirectStandardOutput = true,
            Environment = { ["TAG"] = tag, ["GITHUB_REPOSITORY"] = "owner/name" },
        };
        using Process shell = Process.Start(start)!;
        string output = shell.StandardOutput.ReadToEnd();
        shell.WaitForExit();
        return (shell.ExitCode, output);
    }

    private static YamlFile Read(string workflow) => YamlFile.Read($"{Folder}/{workflow}");

    [GeneratedRegex(@"(\.ci|docs|benchmarks)/[a-z/-]+")]
    private static partial Regex Script();
}
