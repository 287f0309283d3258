namespace PixelPool.Pooling;

/// <summary>
/// The blocks that were rented as bare addresses. An address carries no version, so a second or foreign return can only be told by looking it
/// up. Guarded rents, which know better, are not in here.
/// </summary>
internal sealed class RentedBlockRegister
{
    private readonly HashSet<nint> _rented = [];

    public void Add(ReadOnlySpan<nint> blocks)
    {
        lock (_rented)
        {
            foreach (nint block in blocks)
            {
                _rented.Add(block);
            }
        }
    }

    /// <returns>False, with everything as it was, when one of the blocks is not rented or is named twice.</returns>
    public bool TryRemove(ReadOnlySpan<nint> blocks)
    {
        lock (_rented)
        {
            for (int i = 0; i < blocks.Length; i++)
            {
                if (!_rented.Remove(blocks[i]))
                {
                    foreach (nint removed in blocks.Slice(0, i))
                    {
                        _rented.Add(removed);
                    }

                    return false;
                }
            }

            return true;
        }
    }
}
