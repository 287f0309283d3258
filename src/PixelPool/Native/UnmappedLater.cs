using PixelPool.Threading;

namespace PixelPool.Native;

/// <summary>
/// Ranges that are nobody's and still mapped, because a mapping would be cut in two and the process has too many. They are unmapped later. Those that touch are
/// one, so that what was released block by block is whole again in the end, when nothing has to be cut.
/// </summary>
/// <remarks>A range that is taken is the caller's until it is unmapped or added again. No system call is made here.</remarks>
internal sealed class UnmappedLater
{
    private readonly Dictionary<nint, nint> _ends = [];
    private readonly Dictionary<nint, nint> _starts = [];
    private readonly UninterruptibleLock _gate = new();
    private int _count;

    public bool IsEmpty => Volatile.Read(ref _count) == 0;

    /// <summary>Adds a range. Never throws: where there is no memory for the entry, addresses are lost, and nothing else.</summary>
    public void Add(nint start, nint end)
    {
        try
        {
            using (_gate.Hold())
            {
                TakeBeside(ref start, ref end);
                _ends.Add(start, end);
                Volatile.Write(ref _count, _ends.Count);

                // Without memory for this entry it is found as well, only not by the range behind it.
                _starts.Add(end, start);
            }
        }
        catch (OutOfMemoryException)
        {
        }
    }

    /// <summary>Takes the ranges directly before and behind one that is to be unmapped, and makes it longer by them.</summary>
    public void Extend(ref nint start, ref nint end)
    {
        using (_gate.Hold())
        {
            TakeBeside(ref start, ref end);
        }
    }

    /// <summary>Takes any range.</summary>
    public bool TryTake(out nint start, out nint end)
    {
        using (_gate.Hold())
        {
            foreach (KeyValuePair<nint, nint> range in _ends)
            {
                (start, end) = (range.Key, range.Value);
                Take(start, end);
                return true;
            }

            start = end = 0;
            return false;
        }
    }

    private void TakeBeside(ref nint start, ref nint end)
    {
        if (_starts.TryGetValue(start, out nint before))
        {
            Take(before, start);
            start = before;
        }

        if (_ends.TryGetValue(end, out nint after))
        {
            Take(end, after);
            end = after;
        }
    }

    private void Take(nint start, nint end)
    {
        _ends.Remove(start);
        _starts.Remove(end);
        Volatile.Write(ref _count, _ends.Count);
    }
}
