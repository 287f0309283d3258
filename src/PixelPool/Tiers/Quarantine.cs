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
    public void Add(GuardedPages rent)
    {
        GuardedPages? leaving;
        using (_gate.Hold())
        {
            leaving = _rents.Count == MostRents ? Dequeue() : null;
            _rents.Enqueue(rent);
            _bytes += rent.PageBytes;
        }

        for (leaving ??= TryTake(mostRents: 1); leaving is not null; leaving = TryTake(mostRents: 1))
        {
            leaving.Release(source);
        }
    }

    /// <summary>Lets go of all of them: there are no addresses left, or the pool has ended.</summary>
    public void Empty()
    {
        while (TryTake(mostRents: 0) is { } oldest)
        {
            oldest.Release(source);
        }
    }

    // One after the other: nothing is unmapped under the lock.
    private GuardedPages? TryTake(int mostRents)
    {
        using (_gate.Hold())
        {
            return _rents.Count > mostRents && (mostRents == 0 || _bytes > MostBytes) ? Dequeue() : null;
        }
    }

    private GuardedPages Dequeue()
    {
        GuardedPages oldest = _rents.Dequeue();
        _bytes -= oldest.PageBytes;
        return oldest;
    }
}
