namespace PixelPool.Tests.FixedBlocks;

public sealed class PublicTypesTests
{
    [Fact]
    public void The_package_has_one() => Assert.Equal([typeof(FixedBlockAllocator<>)], typeof(FixedBlockAllocator<>).Assembly.GetExportedTypes());

    [Fact]
    public void It_needs_nothing_but_PixelPool_and_the_base_library() => Assert.Equal(
        ["PixelPool"],
        typeof(FixedBlockAllocator<>).Assembly.GetReferencedAssemblies().Select(static assembly => assembly.Name!)
            .Where(static name => name != "netstandard" && !name.StartsWith("System.", StringComparison.Ordinal)));
}
