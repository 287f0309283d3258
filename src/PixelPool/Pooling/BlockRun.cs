namespace PixelPool.Pooling;

/// <summary>Blocks that lie side by side: one piece of memory.</summary>
internal readonly record struct BlockRun(nint Address, int Blocks);
