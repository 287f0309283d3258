using PixelPool.Budgets;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool.FixedBlocks;

/// <summary>The blocks of a store: taken from a pool one by one, and charged to a budget.</summary>
internal sealed class BlockSupply(UniformUnmanagedMemoryPool pool, MemoryBudget? budget, bool ownsPool)
{
    private readonly BlockPool _blocks = pool.Blocks;

    public int BlockBytes => _blocks.BlockBytes;

    /// <summary>Whether memory that comes back is cleared.</summary>
    public bool ClearsOnReturn => pool.ClearsOnReturn;

    public UniformUnmanagedMemoryPool Pool => pool;

    /// <exception cref="PixelBudgetExceededException">The budget has no room for a block.</exception>
    /// <exception cref="InvalidMemoryOperationException">The pool is full.</exception>
    /// <exception cref="OutOfMemoryException">The system has no memory.</exception>
    /// <exception cref="ObjectDisposedException">The pool was disposed.</exception>
    public nint Take()
    {
        if (_blocks.IsDisposed)
        {
            Throw.Disposed(nameof(UniformUnmanagedMemoryPool));
        }

        if (budget is not null && !budget.TryCharge(BlockBytes))
        {
            Throw.BudgetExceeded(BlockBytes, budget);
        }

        Span<nint> block = stackalloc nint[1];
        bool taken = false;
        try
        {
            taken = _blocks.TryGather(block, countsAsRent: true, out _);
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
        if (ClearsOnReturn)
        {
            BlockSource.Clear(address, BlockBytes);
        }

        Span<nint> block = stackalloc nint[1];
        block[0] = address;
        try
        {
            _blocks.Return(block);
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
