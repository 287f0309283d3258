namespace PixelPool.Threading;

/// <summary>Objects that live, each known weakly: what is in here is kept alive by others. Thread-safe.</summary>
/// <param name="tracksResurrection">Whether they are known until they are gone, also when their finalizers are due or done.</param>
internal sealed class WeakSet<T>(bool tracksResurrection = false)
    where T : class
{
    private readonly UninterruptibleLock _gate = new();

    // Here and everywhere else a list has a capacity: one without it needs an initializer of its type, which fails for good where there is no memory.
    private readonly List<WeakReference<T>> _entries = new(4);

    public void Add(T item)
    {
        var added = new WeakReference<T>(item, tracksResurrection);
        Remove(item);
        using (_gate.Hold())
        {
            _entries.Add(added);
        }
    }

    /// <summary>Removes it, and those that are gone.</summary>
    public void Remove(T item)
    {
        using (_gate.Hold())
        {
            // A finalizer comes here: nothing is allocated.
            for (int i = _entries.Count - 1; i >= 0; i--)
            {
                if (!_entries[i].TryGetTarget(out T? other) || other == item)
                {
                    _entries.RemoveAt(i);
                }
            }
        }
    }

    /// <summary>Those that live now.</summary>
    public List<T> ToList()
    {
        var living = new List<T>(4);
        using (_gate.Hold())
        {
            foreach (WeakReference<T> entry in _entries)
            {
                if (entry.TryGetTarget(out T? item))
                {
                    living.Add(item);
                }
            }
        }

        return living;
    }
}
