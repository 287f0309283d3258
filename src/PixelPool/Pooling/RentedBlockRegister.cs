using PixelPool.Threading;

namespace PixelPool.Pooling;

/// <summary>
/// The blocks that were rented as bare addresses. An address carries no version, so a second or foreign return can only be told by looking it
/// up. Guarded rents, which know better, are not in here.
/// </summary>
internal sealed class RentedBlockRegister
{
    private readonly UninterruptibleLock _gate = new();
    private readonly HashSet<nint> _rented = [];

    /// <summary>Adds all of them, or none when there is no memory for the entries.</summary>
    public void Add(ReadOnlySpan<nint> blocks)
    {
        using (_gate.Hold())
        {
            try
            {
                foreach (nint block in blocks)
                {
                    _rented.Add(block);
                }
            }
            catch
            {
                // None of them was in here before.
                foreach (nint block in blocks)
                {
                    _rented.Remove(block);
                }

                throw;
            }
        }
    }

    /// <returns>False, with everything as it was, when one of the blocks is not rented or is named twice.</returns>
    public bool TryRemove(ReadOnlySpan<nint> blocks)
    {
        using (_gate.Hold())
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
