using System.Runtime.CompilerServices;
using PixelPool.Threading;

namespace PixelPool.Lifetime;

/// <summary>Where the views and pins of one rent were made that are not disposed yet: of a rent that is recorded, as far as it was their turn.</summary>
internal sealed class HoldTraces
{
    // A report names one of them. An image with more views than that tells of the first ones.
    private const int MaxTraces = 64;

    private readonly UninterruptibleLock _gate = new();

    // By the identity of the holder, which must not be held itself: its finalization is what a report is about.
    private readonly List<(int Holder, RentTrace Trace)> _traces = new(4);

    /// <summary>The one that was made first of those that are not disposed; null when none is recorded.</summary>
    public RentTrace? Oldest
    {
        get
        {
            using (_gate.Hold())
            {
                return _traces.Count == 0 ? null : _traces[0].Trace;
            }
        }
    }

    public void Add(object holder, RentTrace trace)
    {
        using (_gate.Hold())
        {
            if (_traces.Count < MaxTraces)
            {
                _traces.Add((RuntimeHelpers.GetHashCode(holder), trace));
            }
        }
    }

    public void Remove(object holder)
    {
        int identity = RuntimeHelpers.GetHashCode(holder);
        using (_gate.Hold())
        {
            for (int i = _traces.Count - 1; i >= 0; i--)
            {
                if (_traces[i].Holder == identity)
                {
                    _traces.RemoveAt(i);
                    return;
                }
            }
        }
    }
}
