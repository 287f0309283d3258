using PixelPool.Native;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>Guarded rents that have ended, closed: the last ones, so that whoever still uses one of them faults. They have addresses, and no memory. Thread-safe.</summary>
internal sealed class Quarantine(BlockSource source)
{
    private const int MostRents = 64;

    // But for a single rent that has more.
    private const long MostBytes = 256 << 20;

    private readonly UninterruptibleLock _gate = new();

    // It has room for all: a return needs no managed memory.
    private readonly Queue<GuardedPages> _rents = new(MostRents);
    private long _bytes;

    /// <summary>Takes a rent that ended, closed, and lets go of the oldest ones.</summary>
    /// <param name="rent">The rent. Null: all are let go.</param>
    public void Add(GuardedPages? rent)
    {
        while (TryAdd(rent) is { } oldest)
        {
            oldest.Release(source);
        }
    }

    /// <summary>Lets go of all of them: there are no addresses left, or the pool has ended.</summary>
    public void Empty() => Add(null);

    // The oldest one where there is no room, or none to add: nothing is unmapped under the lock. Null when the rent was added, or all are gone.
    private GuardedPages? TryAdd(GuardedPages? rent)
    {
        using (_gate.Hold())
        {
            if (rent is not null && (_rents.Count == 0 || (_rents.Count < MostRents && _bytes + rent.PageBytes <= MostBytes)))
            {
                _rents.Enqueue(rent);
                _bytes += rent.PageBytes;
                return null;
            }

            GuardedPages? oldest = _rents.Count == 0 ? null : _rents.Dequeue();
            _bytes -= oldest?.PageBytes ?? 0;
            return oldest;
        }
    }
}
