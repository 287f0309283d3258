namespace Release.Tests;

/// <summary>Libraries with a strong name can use all that the packages bring.</summary>
public sealed class StrongNameTests
{
    public static TheoryData<string> Projects =>
        [.. Directory.EnumerateFiles(Path.Combine(MarkdownPage.Root(), "src"), "*.csproj", SearchOption.AllDirectories)
            .Select(static file => Path.GetFileNameWithoutExtension(file))
            .Where(static project => project != "PixelPool.ImageSharp")
            .Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Projects))]
    public void Each_assembly_has_the_documented_one(string project) =>
        StrongName.AssertDocumented(Path.Combine(AppContext.BaseDirectory, project + ".dll"));
}
