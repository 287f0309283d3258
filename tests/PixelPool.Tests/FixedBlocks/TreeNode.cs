namespace PixelPool.Tests.FixedBlocks;

#pragma warning disable CS0649 // the page shows how it is declared; nothing here writes all of it
#region FixedBlocks/PACKAGE.md
internal unsafe struct TreeNode
{
    public TreeNode* Left, Right;
    public long Key;
}
#endregion
