namespace PixelPool.Tests.FixedBlocks;

/// <summary>The snippets of <c>docs/fixed-blocks.md</c> and of the package's page, compiled and run.</summary>
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
        using var nodes = new FixedBlockAllocator<ColorNode>(pool);
        using var entries = new FixedBlockAllocator<long>(pool);
        #endregion

        nodes.Allocate();
        entries.Allocate();
        Assert.Equal(2 << 20, pool.GetStatistics().RentedBytes);
    }

    [Fact]
    public void An_allocator_for_objects_and_images()
    {
        #region docs/fixed-blocks.md
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 256 << 20 });
        using var nodes = new FixedBlockAllocator<ColorNode>(allocator);
        using PixelBuffer<uint> image = allocator.Rent<uint>(4000, 3000);
        #endregion

        nodes.Allocate();
        Assert.Equal(2, allocator.GetOutstandingRents().Count);
    }

    [Fact]
    public void Nodes_of_the_package()
    {
        #region FixedBlocks/PACKAGE.md
        using var nodes = new FixedBlockAllocator<TreeNode>(PixelAllocator.Shared);

        TreeNode* root = nodes.Allocate();
        *root = new TreeNode { Key = 7 };
        root->Left = nodes.Allocate();
        *root->Left = new TreeNode { Key = 3 };

        nodes.Free(root->Left);
        nodes.Clear();
        #endregion

        Assert.Equal(0, nodes.Count);
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
