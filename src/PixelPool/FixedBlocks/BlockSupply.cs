using PixelPool.Budgets;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool.FixedBlocks;

/// <summary>The blocks of a fixed-size heap: taken from a pool one by one, and charged to a budget.</summary>
/// <param name="pool">The pool.</param>
/// <param name="clearsOnReturn">Whether memory that comes back is cleared.</param>
/// <param name="budget">What pays for the blocks, if anything does.</param>
/// <param name="ownsPool">Whether nobody else uses the pool.</param>
internal sealed class BlockSupply(BlockPool pool, bool clearsOnReturn, MemoryBudget? budget, bool ownsPool)
{
    private const string PoolName = "UniformUnmanagedMemoryPool";

    public int BlockBytes => pool.BlockBytes;

    public bool ClearsOnReturn => clearsOnReturn;

    public BlockPool Pool => pool;

    /// <exception cref="PixelBudgetExceededException">The budget has no room for a block.</exception>
    /// <exception cref="InvalidMemoryOperationException">The pool is full.</exception>
    /// <exception cref="OutOfMemoryException">The system has no memory.</exception>
    /// <exception cref="ObjectDisposedException">The pool was disposed.</exception>
    public nint Take()
    {
        if (pool.IsDisposed)
        {
            Throw.Disposed(PoolName);
        }

        if (budget is not null && !budget.TryCharge(BlockBytes))
        {
            throw BudgetRefusal.Of(budget, BlockBytes);
        }

        Span<nint> block = stackalloc nint[1];
        bool taken = false;
        try
        {
            taken = pool.TryGather(block, countsAsRent: true, out _);
        }
        finally
        {
            if (!taken)
            {
                budget?.Release(BlockBytes);
            }
        }

        if (!taken)
        {
            Throw.InvalidMemoryOperation(
                $"No room for another block of {ByteSize.Format(BlockBytes)}: the pool may hold {ByteSize.Format(pool.MaxPooledBytes)} ({nameof(PixelAllocatorOptions.MaxPooledBytes)}).");
        }

        return block[0];
    }

    public void Return(nint address)
    {
        if (clearsOnReturn)
        {
            BlockSource.Clear(address, BlockBytes);
        }

        Span<nint> block = stackalloc nint[1];
        block[0] = address;
        try
        {
            pool.Return(block);
        }
        finally
        {
            budget?.Release(BlockBytes);
        }
    }

    /// <summary>Ends the pool if nobody else uses it.</summary>
    public void Close()
    {
        if (ownsPool)
        {
            pool.Dispose();
        }
    }
}
