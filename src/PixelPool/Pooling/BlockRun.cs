namespace PixelPool.Pooling;

/// <summary>Blocks that lie side by side: one piece of memory.</summary>
/// <param name="Address">Where they begin.</param>
/// <param name="Blocks">How many they are.</param>
/// <param name="IdleSince">The period of its stripe in which it became idle.</param>
internal readonly record struct BlockRun(nint Address, int Blocks, int IdleSince = 0);
