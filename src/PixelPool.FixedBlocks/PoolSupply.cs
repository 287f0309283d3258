namespace PixelPool.FixedBlocks;

/// <summary>Blocks of a pool.</summary>
/// <param name="pool">The pool.</param>
/// <param name="ownsPool">Whether nobody else uses the pool.</param>
internal sealed unsafe class PoolSupply(UniformUnmanagedMemoryPool pool, bool ownsPool) : BlockSupply
{
    public override int BlockBytes => pool.BlockBytes;

    public override bool ClearsOnReturn => pool.ClearsOnReturn;

    public override BlockHeader* TryTake()
    {
        Span<nint> block = stackalloc nint[1];
        return pool.TryRent(block) ? (BlockHeader*)block[0] : null;
    }

    // Nobody waits for a pool.
    public override BlockHeader* Take(Action makeRoom, CancellationToken cancellationToken)
    {
        BlockHeader* block = TryTake();
        if (block == null)
        {
            Throw.InvalidMemoryOperation(
                $"No room for another block of {ByteSize.Format(BlockBytes)}: the pool may hold {ByteSize.Format(pool.MaxPooledBytes)} ({nameof(PixelAllocatorOptions.MaxPooledBytes)}).");
        }

        return block;
    }

    public override void Return(BlockHeader* block)
    {
        Span<nint> returned = stackalloc nint[1];
        returned[0] = (nint)block;
        pool.Return(returned);
    }

    public override long Trim() => pool.Trim();

    public override PixelPoolStatistics GetStatistics() => pool.GetStatistics();

    public override void Close()
    {
        if (ownsPool)
        {
            pool.Dispose();
        }
    }
}
