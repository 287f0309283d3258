using PixelPool.Native;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>Guarded rents that have ended, closed: the last ones, so that whoever still uses one of them faults. They have addresses, and no memory. Thread-safe.</summary>
internal sealed class Quarantine(BlockSource source)
{
    /// <summary>The most rents in it.</summary>
    public const int MostRents = 64;

    /// <summary>The most addresses in it, but for a single rent that has more.</summary>
    public const long MostBytes = 256 << 20;

    private readonly UninterruptibleLock _gate = new();
    private readonly GuardedPages?[] _rents = new GuardedPages?[MostRents];
    private long _bytes;
    private int _next;
    private int _oldest;
    private bool _closed;

    // What nobody disposes is finalized with all rents that could still come.
    ~Quarantine()
    {
        // Also runs when the constructor failed.
        if (_gate is not null && _rents is not null)
        {
            Close();
        }
    }

    /// <summary>Takes a rent that ended, closed, and lets go of the oldest ones.</summary>
    public void Add(GuardedPages rent)
    {
        GuardedPages? leaving = rent;
        using (_gate.Hold())
        {
            if (!_closed)
            {
                leaving = _rents[_next];
                _rents[_next] = rent;
                _next = (_next + 1) % MostRents;
                _bytes += rent.PageBytes - (leaving?.PageBytes ?? 0);
                _oldest = leaving is null ? _oldest : _next;
            }
        }

        leaving?.Release(source);
        while (TryTakeOldest(all: false) is { } oldest)
        {
            oldest.Release(source);
        }
    }

    /// <summary>Lets go of all of them, and of whatever comes later.</summary>
    public void Close()
    {
        using (_gate.Hold())
        {
            _closed = true;
        }

        while (TryTakeOldest(all: true) is { } oldest)
        {
            oldest.Release(source);
        }

        GC.SuppressFinalize(this);
    }

    private GuardedPages? TryTakeOldest(bool all)
    {
        using (_gate.Hold())
        {
            GuardedPages? oldest = _rents[_oldest];
            int last = (_next + MostRents - 1) % MostRents;
            if (oldest is null || (!all && (_bytes <= MostBytes || _oldest == last)))
            {
                return null;
            }

            _rents[_oldest] = null;
            _bytes -= oldest.PageBytes;
            _oldest = (_oldest + 1) % MostRents;
            return oldest;
        }
    }
}
