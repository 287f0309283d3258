using System.Text.RegularExpressions;

namespace PixelPool.Tests.Documentation;

/// <summary>The messages that <c>docs/errors.md</c> explains are messages that the packages have.</summary>
public sealed partial class ErrorsPageTests
{
    // What other code says, in rows about it.
    private static readonly string[] s_ofOthers = ["lambda_method3(Closure, …)", "AggregateException", "OperationCanceledException"];

    [Fact]
    public void Each_message_is_one_of_the_sources()
    {
        string root = MarkdownPage.Root();
        string sources = string.Concat(
            Directory.EnumerateFiles(Path.Combine(root, "src"), "*.cs", SearchOption.AllDirectories)
                .Where(static file => !Built().IsMatch(file))
                .Select(File.ReadAllText));
        string[] messages =
        [
            .. File.ReadAllLines(Path.Combine(root, "docs/errors.md"))
                .Where(static line => line.StartsWith("| ", StringComparison.Ordinal))
                .SelectMany(static line => Code().Matches(line.Split('|')[1]).Select(static code => code.Groups[1].Value))
                .Except(s_ofOthers),
        ];

        Assert.True(messages.Length > 30);
        Assert.All(messages, message => Assert.Contains(message, sources, StringComparison.Ordinal));
    }

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Code();

    [GeneratedRegex(@"[/\\](bin|obj)[/\\]")]
    private static partial Regex Built();
}
