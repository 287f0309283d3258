namespace Release.Tests;

/// <summary><c>.ci/release/notes</c>: nothing is published unless the tag, the version and the changelog fit together.</summary>
public sealed class NotesTests
{
    private const string Changelog = "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Added\n\n- Something.\n\n## 0.1.0 - 2026-11-01\n\n- The first.\n";

    [Fact]
    public void They_are_the_section_of_the_version() => Assert.Equal((0, "### Added\n\n- Something.", ""), Notes("0.2.0", Changelog, "v0.2.0"));

    [Fact]
    public void The_last_section_ends_with_the_file() => Assert.Equal((0, "- The first.", ""), Notes("0.1.0", Changelog, "v0.1.0"));

    [Fact]
    public void A_preview_has_a_section_of_its_own() =>
        Assert.Equal((0, "- Early.", ""), Notes("0.2.0", "## 0.2.0-preview.1 - 2026-11-20\n\n- Early.\n", "v0.2.0-preview.1"));

    [Theory]
    [InlineData("0.2.0", "0.2.0: a tag of a release is v1.2.3 or v1.2.3-preview.1")]
    [InlineData("v0.2", "v0.2: a tag of a release is v1.2.3 or v1.2.3-preview.1")]
    [InlineData("v0.3.0", "v0.3.0: Directory.Build.props says 0.2.0")]
    [InlineData("v0.2.0-preview.1", "v0.2.0-preview.1: CHANGELOG.md has no heading \"## 0.2.0-preview.1 - YYYY-MM-DD\"")]
    public void Another_tag_is_refused(string tag, string why) => Assert.Equal((1, "", why), Notes("0.2.0", Changelog, tag));

    [Theory]
    [InlineData("## 0.2.0\n\n- Something.\n", "CHANGELOG.md has no heading \"## 0.2.0 - YYYY-MM-DD\"")]
    [InlineData("## 0.2.0 - 2026-12-01\n\n## 0.1.0 - 2026-11-01\n\n- The first.\n", "CHANGELOG.md says nothing of it")]
    [InlineData("## Unreleased\n\n- More.\n\n## 0.2.0 - 2026-12-01\n\n- Something.\n", "CHANGELOG.md still has entries below \"Unreleased\"")]
    public void Another_changelog_is_refused(string changelog, string why) => Assert.Equal((1, "", "v0.2.0: " + why), Notes("0.2.0", changelog, "v0.2.0"));

    /// <summary>So many that what finds the first one could end before all were written.</summary>
    [Fact]
    public void Entries_that_were_not_released_are_found_among_many()
    {
        string changelog = $"## Unreleased\n\n{string.Concat(Enumerable.Repeat("- More.\n", 100_000))}\n## 0.2.0 - 2026-12-01\n\n- Something.\n";
        Assert.Equal((1, "", "v0.2.0: CHANGELOG.md still has entries below \"Unreleased\""), Notes("0.2.0", changelog, "v0.2.0"));
    }

    private static (int ExitCode, string Output, string Error) Notes(string version, string changelog, string tag)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Releases are made on Linux.");
        using var repository = new RepositoryFolder(version, changelog);
        return repository.Notes(tag);
    }
}
