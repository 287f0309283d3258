namespace PixelPool.Tests.FixedBlocks;

#pragma warning disable CS0649 // the page shows how it is declared; nothing here writes all of it
#region docs/fixed-blocks.md
internal unsafe struct ColorNode
{
    public fixed long Children[8];
    public long Red, Green, Blue;
    public int Pixels;
}
#endregion
