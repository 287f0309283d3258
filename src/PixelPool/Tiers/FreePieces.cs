namespace PixelPool.Tiers;

/// <summary>The free pieces of a slab, taken out of it: see <see cref="Slab.TakeFree"/>.</summary>
/// <param name="First">The first one of their list; −1 for none.</param>
/// <param name="Untouched">From here on pieces were never handed out. They are free, and in no list.</param>
internal readonly record struct FreePieces(int First, int Untouched);
