namespace PixelPool.Tests.FixedBlocks;

/// <summary>The snippets of <c>docs/fixed-blocks.md</c>, compiled and run.</summary>
public sealed unsafe class FixedBlocksPageTests
{
    [Fact]
    public void Nodes_of_a_tree()
    {
        #region docs/fixed-blocks.md
        using var nodes = new FixedBlockAllocator<ColorNode>();

        ColorNode* root = nodes.Allocate();
        *root = default;
        ColorNode* child = nodes.Allocate();
        *child = default;
        root->Children[3] = (long)child;

        nodes.Free(child);
        nodes.Clear();
        #endregion

        Assert.Equal(0, nodes.Count);
    }

    [Fact]
    public void A_pool_for_several_types()
    {
        #region docs/fixed-blocks.md
        using var pool = new UniformUnmanagedMemoryPool(new PixelAllocatorOptions { BlockBytes = 1 << 20, MaxPooledBytes = 256 << 20 });
        using var nodes = new FixedBlockAllocator<ColorNode>(pool, checksFrees: false);
        using var entries = new FixedBlockAllocator<long>(pool, checksFrees: false);
        #endregion

        nodes.Allocate();
        entries.Allocate();
        Assert.Equal(2 << 20, pool.GetStatistics().RentedBytes);
    }

    [Fact]
    public void A_second_free() => Assert.Throws<InvalidMemoryOperationException>(static () =>
    {
        #region docs/fixed-blocks.md
        using var nodes = new FixedBlockAllocator<ColorNode>(checksFrees: true);
        ColorNode* node = nodes.Allocate();
        nodes.Free(node);
        nodes.Free(node); // InvalidMemoryOperationException; nothing was changed
        #endregion
    });
}
