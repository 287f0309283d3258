using PixelPool.Lifetime;

namespace PixelPool.Pooling;

/// <summary>
/// Guards that keep small memory: arrays, or pieces of slabs. There is a stack for each size, and what was returned last is on top. Whoever uses it has its cache for
/// itself.
/// </summary>
internal struct SmallKept
{
    /// <summary>How many sizes there are. Pieces have the first ones, from 0 on.</summary>
    public const int Sizes = FirstOfArrays + 20;

    /// <summary>The first size of arrays.</summary>
    public const int FirstOfArrays = 32;

    // Of one size at most eight, and at most 256 KiB together, or one alone; below 4 MiB in all.
    private const int MostOfSize = 8;
    private const int MostBytesOfSize = 256 << 10;
    private const int MostBytes = (4 << 20) - 1;

    private readonly LifetimeGuard?[] _guards = new LifetimeGuard?[Sizes * MostOfSize];
    private readonly int[] _counts = new int[Sizes];
    private int _count;
    private long _bytes;

    public SmallKept()
    {
    }

    /// <summary>How many guards there are.</summary>
    public readonly int Count => _count;

    /// <summary>The guard of that size that came last, if there is one.</summary>
    public readonly LifetimeGuard? Last(int size) => _counts[size] is not 0 and int count ? _guards[(size * MostOfSize) + count - 1] : null;

    /// <summary>Takes what <see cref="Last"/> said.</summary>
    /// <param name="size">Its size.</param>
    /// <param name="bytes">The bytes that it was added with.</param>
    public void RemoveLast(int size, int bytes)
    {
        _guards[(size * MostOfSize) + --_counts[size]] = null;
        _count--;
        _bytes -= bytes;
    }

    /// <summary>Adds a guard.</summary>
    /// <param name="size">The size of what it keeps.</param>
    /// <param name="bytes">How many bytes these are: always the same for a size.</param>
    /// <param name="guard">The guard.</param>
    /// <returns>False when there is no room.</returns>
    public bool TryAdd(int size, int bytes, LifetimeGuard guard)
    {
        int count = _counts[size];
        if (count >= MostOfSize || (count != 0 && (count + 1) * bytes > MostBytesOfSize) || _bytes + bytes > MostBytes)
        {
            return false;
        }

        _guards[(size * MostOfSize) + count] = guard;
        _counts[size] = count + 1;
        _count++;
        _bytes += bytes;
        return true;
    }

    /// <summary>Takes the guard of the last size that came first.</summary>
    public LifetimeGuard? RemoveOldest()
    {
        for (int size = Sizes - 1; size >= 0 && _count != 0; size--)
        {
            if (_counts[size] == 0)
            {
                continue;
            }

            Span<LifetimeGuard?> guards = _guards.AsSpan(size * MostOfSize, _counts[size]);
            LifetimeGuard guard = guards[0]!;
            guards.Slice(1).CopyTo(guards);
            guards[guards.Length - 1] = null;
            _counts[size]--;
            _count--;
            _bytes -= guard.HeldBytes;
            return guard;
        }

        return null;
    }

    /// <summary>Bytes that are idle because they are kept here: see <see cref="MemoryTier.GetIdleBytes"/>.</summary>
    public readonly long CountIdle(long reading)
    {
        long idle = 0;
        for (int size = 0; size < Sizes && _count != 0; size++)
        {
            foreach (LifetimeGuard? guard in _guards.AsSpan(size * MostOfSize, _counts[size]))
            {
                idle += guard!.Tier!.GetIdleBytes(guard, reading);
            }
        }

        return idle;
    }
}
