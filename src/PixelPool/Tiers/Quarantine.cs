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
    public void Add(GuardedPages rent) => MakeRoom(rent);

    /// <summary>Lets go of all of them: there are no addresses left, or the pool has ended.</summary>
    public void Empty() => MakeRoom(null);

    // Lets the oldest ones go until a rent has come in; all of them if there is none. Nothing is unmapped under the lock.
    private void MakeRoom(GuardedPages? rent)
    {
        while (AddOrTakeOldest(rent) is { } oldest)
        {
            oldest.Release(source);
        }
    }

    // Null when the rent was added, or when nothing is left.
    private GuardedPages? AddOrTakeOldest(GuardedPages? rent)
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
