using System.Reflection;

namespace PixelPool.Testing;

/// <summary>The strong name that <c>docs/versions.md</c> promises.</summary>
internal static class StrongName
{
    private const string Row = "| Public key token |";

    /// <summary>The assembly in this file has it. The file is not loaded.</summary>
    public static void AssertDocumented(string assemblyFile)
    {
        string documented = File.ReadLines(Path.Combine(MarkdownPage.Root(), "docs/versions.md")).Single(static line => line.StartsWith(Row, StringComparison.Ordinal));
        byte[] token = AssemblyName.GetAssemblyName(assemblyFile).GetPublicKeyToken() ?? [];
        Assert.Equal($"{Row} `{Convert.ToHexStringLower(token)}` |", documented);
    }
}
