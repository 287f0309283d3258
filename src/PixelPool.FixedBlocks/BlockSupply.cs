namespace PixelPool.FixedBlocks;

/// <summary>Where the blocks of a fixed-size heap come from, one by one, and where they go back to.</summary>
internal abstract unsafe class BlockSupply
{
    public abstract int BlockBytes { get; }

    /// <summary>Whether memory that comes back is cleared.</summary>
    public abstract bool ClearsOnReturn { get; }

    /// <summary>Takes a block, if there is room for one. It begins at a page, and its content is undefined but for what <see cref="Return"/> needs of its header.</summary>
    /// <returns>Null when the budget or the pool is full.</returns>
    /// <exception cref="OutOfMemoryException">The system has no memory.</exception>
    /// <exception cref="ObjectDisposedException">What it comes from was disposed.</exception>
    public abstract BlockHeader* TryTake();

    /// <summary>Takes a block as <see cref="TryTake"/> does; waits for the budget, if that can be.</summary>
    /// <param name="makeRoom">Called from time to time while it waits. What it throws ends the wait.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="PixelBudgetExceededException">The budget has no room for a block.</exception>
    /// <exception cref="InvalidMemoryOperationException">The pool is full.</exception>
    /// <exception cref="OutOfMemoryException">The system has no memory.</exception>
    /// <exception cref="ObjectDisposedException">What it comes from was disposed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public abstract BlockHeader* Take(Action makeRoom, CancellationToken cancellationToken);

    public abstract void Return(BlockHeader* block);

    /// <summary>Gives idle memory back to the system.</summary>
    /// <returns>Bytes given back.</returns>
    public abstract long Trim();

    public abstract PixelPoolStatistics GetStatistics();

    /// <summary>Ends what nobody else uses.</summary>
    public abstract void Close();
}
