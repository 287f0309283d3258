using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>All that a rent rarely has to do before it is handed out.</summary>
/// <param name="pool">Where the memory came from.</param>
/// <param name="options">Those of the allocator.</param>
internal sealed class RentPreparation(BlockPool pool, PixelAllocatorOptions options)
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Prepare(LifetimeGuard guard, AllocationOptions asked, long blockUsedBytes, long totalBytes)
    {
        try
        {
            // What clearing has to cover, now or when the memory is returned, and where the image ends.
            int blocks = guard.BlockCount;
            long usedPerBlock = blocks == 1 ? totalBytes : blockUsedBytes;
            guard.SetUsed(usedPerBlock, totalBytes - (usedPerBlock * (blocks - 1)));
            if (guard.FreshBytes != 0 && options.UseHugePages)
            {
                FreshPages.Choose(guard, pool.Source);
            }

            if ((asked & AllocationOptions.Clean) != 0)
            {
                // Fresh pages read as zero, and so does what was cleared when it was returned.
                guard.Clear(!pool.Source.IsZeroed ? long.MaxValue : options.ClearOnReturn && guard.Array is null ? 0 : guard.ReusedBytes);
            }
        }
        catch
        {
            guard.TryReleaseOwner(guard.Version);
            throw;
        }
    }
}
