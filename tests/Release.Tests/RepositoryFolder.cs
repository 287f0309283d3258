using System.Diagnostics;

namespace Release.Tests;

/// <summary>A folder with as much of a repository as the script of the notes reads.</summary>
internal sealed class RepositoryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("release-tests-");

    public RepositoryFolder(string version, string changelog)
    {
        _folder.CreateSubdirectory(".ci/release");
        File.Copy(Path.Combine(MarkdownPage.Root(), ".ci/release/notes"), Path.Combine(_folder.FullName, ".ci/release/notes"));
        File.WriteAllText(Path.Combine(_folder.FullName, "Directory.Build.props"), $"<Project>\n  <VersionPrefix>{version}</VersionPrefix>\n</Project>\n");
        File.WriteAllText(Path.Combine(_folder.FullName, "CHANGELOG.md"), changelog);
    }

    /// <summary>What <c>notes</c> prints, or why it fails.</summary>
    public (int ExitCode, string Output, string Error) Notes(string tag)
    {
        var start = new ProcessStartInfo("bash", [Path.Combine(_folder.FullName, ".ci/release/notes"), tag]) { RedirectStandardOutput = true, RedirectStandardError = true };
        using Process notes = Process.Start(start)!;
        Task<string> error = notes.StandardError.ReadToEndAsync();
        string output = notes.StandardOutput.ReadToEnd();
        notes.WaitForExit();
        return (notes.ExitCode, output.Trim(), error.Result.Trim());
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
