namespace ImageSharp.Tests.Documentation;

/// <summary>The adapter can be used where ImageSharp can: both have a strong name.</summary>
public sealed class StrongNameTests
{
    [Fact]
    public void The_assembly_has_the_documented_one() => StrongName.AssertDocumented(typeof(PixelPoolMemoryAllocator).Assembly.Location);

    [Fact]
    public void ImageSharp_has_one() => Assert.NotEmpty(typeof(SixLabors.ImageSharp.Image).Assembly.GetName().GetPublicKeyToken()!);
}
