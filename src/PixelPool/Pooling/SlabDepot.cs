using PixelPool.Budgets;

namespace PixelPool.Pooling;

/// <summary>
/// Small unmanaged pieces, cut from pooled blocks: two size classes per doubling from 4 KiB to a quarter of a block, so that a piece is at most half as
/// large again as what it holds.
/// </summary>
internal sealed class SlabDepot
{
    private const int SmallestBytes = 4096;

    private readonly SlabSizeClass[] _classes;

    public SlabDepot(UniformUnmanagedMemoryPool pool, MemoryBudget? budget = null)
    {
        var classes = new List<SlabSizeClass>();
        for (int bytes = SmallestBytes; bytes <= pool.BlockBytes / 4; bytes *= 2)
        {
            classes.Add(new SlabSizeClass(pool, bytes, budget));
            int between = bytes + (bytes / 2);
            if (between % SmallestBytes == 0 && between <= pool.BlockBytes / 4)
            {
                classes.Add(new SlabSizeClass(pool, between, budget));
            }
        }

        _classes = [.. classes];
    }

    /// <summary>The smallest class that holds <paramref name="bytes"/>, or null when they are more than a quarter of a block.</summary>
    public SlabSizeClass? Find(long bytes)
    {
        foreach (SlabSizeClass candidate in _classes)
        {
            if (bytes <= candidate.PieceBytes)
            {
                return candidate;
            }
        }

        return null;
    }
}
