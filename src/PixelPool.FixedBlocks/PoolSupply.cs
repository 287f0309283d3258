using PixelPool.Budgets;

namespace PixelPool.FixedBlocks;

/// <summary>Blocks of a pool.</summary>
/// <param name="pool">The pool.</param>
/// <param name="budget">What pays for the blocks, if anything does.</param>
/// <param name="ownsPool">Whether nobody else uses the pool.</param>
internal sealed unsafe class PoolSupply(UniformUnmanagedMemoryPool pool, MemoryBudget? budget, bool ownsPool) : BlockSupply
{
    public override int BlockBytes => pool.BlockBytes;

    public override bool ClearsOnReturn => pool.ClearsOnReturn;

    /// <summary>Blocks of a pool that has such options and no other user.</summary>
    /// <exception cref="ArgumentOutOfRangeException">An option is outside of its range.</exception>
    public static PoolSupply Create(PixelAllocatorOptions? options)
    {
        options ??= new PixelAllocatorOptions();
        var pool = new UniformUnmanagedMemoryPool(options);
        MemoryBudget? budget = options.MaxRentedBytes is { } limit ? new MemoryBudget(limit, options.Name ?? nameof(PixelPool)) : null;
        return new PoolSupply(pool, budget, ownsPool: true);
    }

    public override BlockHeader* TryTake() => TryTake(out _);

    // Nobody waits for a budget of objects only.
    public override BlockHeader* Take(Action makeRoom, CancellationToken cancellationToken)
    {
        BlockHeader* block = TryTake(out bool isBudgetFull);
        if (isBudgetFull)
        {
            throw BudgetRefusal.Of(budget!, BlockBytes, canWait: false);
        }

        if (block == null)
        {
            Throw.InvalidMemoryOperation(
                $"No room for another block of {ByteSize.Format(BlockBytes)}: the pool may hold {ByteSize.Format(pool.MaxPooledBytes)} ({nameof(PixelAllocatorOptions.MaxPooledBytes)}).");
        }

        return block;
    }

    private BlockHeader* TryTake(out bool isBudgetFull)
    {
        isBudgetFull = budget is not null && !budget.TryCharge(BlockBytes);
        if (isBudgetFull)
        {
            return null;
        }

        Span<nint> block = stackalloc nint[1];
        bool taken = false;
        try
        {
            taken = pool.TryRent(block);
        }
        finally
        {
            if (!taken)
            {
                budget?.Release(BlockBytes);
            }
        }

        return taken ? (BlockHeader*)block[0] : null;
    }

    public override void Return(BlockHeader* block)
    {
        Span<nint> returned = stackalloc nint[1];
        returned[0] = (nint)block;
        try
        {
            pool.Return(returned);
        }
        finally
        {
            budget?.Release(BlockBytes);
        }
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
