namespace PixelPool.FixedBlocks;

/// <summary>Where the blocks of a fixed-size heap come from, one by one, and where they go back to.</summary>
internal abstract unsafe class BlockSupply
{
    public abstract int BlockBytes { get; }

    /// <summary>Whether memory that comes back is cleared.</summary>
    public abstract bool ClearsOnReturn { get; }

    /// <summary>Takes a block. It begins at a page, and its content is undefined but for what <see cref="Return"/> needs of its header.</summary>
    /// <exception cref="PixelBudgetExceededException">The budget has no room for a block.</exception>
    /// <exception cref="InvalidMemoryOperationException">The pool is full.</exception>
    /// <exception cref="OutOfMemoryException">The system has no memory.</exception>
    /// <exception cref="ObjectDisposedException">What it comes from was disposed.</exception>
    public abstract BlockHeader* Take();

    public abstract void Return(BlockHeader* block);

    /// <summary>Gives idle memory back to the system.</summary>
    /// <returns>Bytes given back.</returns>
    public abstract long Trim();

    public abstract PixelPoolStatistics GetStatistics();

    /// <summary>Ends what nobody else uses.</summary>
    public abstract void Close();
}
