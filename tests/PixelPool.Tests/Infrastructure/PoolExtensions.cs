using PixelPool.Lifetime;
using PixelPool.Tiers;

namespace PixelPool.Tests.Infrastructure;

/// <summary>What tests of a pool do all the time.</summary>
internal static unsafe class PoolExtensions
{
    /// <summary>Rents blocks in one request, which must succeed.</summary>
    public static nint[] Rent(this UniformUnmanagedMemoryPool pool, int count)
    {
        nint[] blocks = new nint[count];
        Assert.True(pool.TryRent(blocks));
        return blocks;
    }

    /// <summary>Rents blocks under a guard, as an allocator does.</summary>
    public static LifetimeGuard RentGuarded(this UniformUnmanagedMemoryPool pool, int count = 1) =>
        new BlockTier(pool.Blocks, budget: null).TryTake(count, payer: null, out _)!;

    /// <summary>Makes this many new blocks idle, in one stripe of the depot.</summary>
    public static nint[] MakeIdle(this UniformUnmanagedMemoryPool pool, int count)
    {
        nint[] blocks = pool.Rent(count);
        pool.Return(blocks);
        return blocks;
    }

    /// <summary>The bytes of a block.</summary>
    public static Span<byte> Bytes(this UniformUnmanagedMemoryPool pool, nint block) => new((void*)block, pool.BlockBytes);
}
