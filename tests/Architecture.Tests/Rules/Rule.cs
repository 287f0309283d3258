namespace Architecture.Tests.Rules;

/// <summary>How a broken rule is told: everything that was found, and what to do about it.</summary>
internal static class Rule
{
    public static void Holds(IEnumerable<string> violations, string advice = "")
    {
        string[] found = [.. violations];
        if (found.Length > 0)
        {
            Assert.Fail(string.Join("\n\n", found.Append(advice)).Trim());
        }
    }
}
