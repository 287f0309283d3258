namespace Architecture.Tests.Reading;

public sealed class RepositoryTests
{
    [Fact]
    public void Projects_are_found() => Assert.Contains("PixelPool", Repository.Projects);

    [Fact]
    public void Files_are_those_that_somebody_wrote_for_the_library()
    {
        string[] files = [.. Repository.FilesOf("PixelPool").Select(static file => file.Path)];

        Assert.Contains("PixelAllocator.cs", files);
        Assert.Contains("Native/BlockSource.cs", files);
        Assert.DoesNotContain(files, static file => file.StartsWith("obj/", StringComparison.Ordinal) || file.StartsWith("Polyfills/", StringComparison.Ordinal));
    }
}
