using System.Runtime.CompilerServices;
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

    private readonly int _mostOfSize;
    private readonly int _mostBytes;
    private readonly LifetimeGuard?[] _guards;
    private readonly int[] _counts = new int[Sizes];

    // The guard that came last when a size was full: its place, and the version that its next rent will have; the version of one more that is kept elsewhere. And how often the size was
    // full since one of it was rented.
    private readonly (int Place, uint Version, uint Other, int Times)[] _lastWhenFull = new (int, uint, uint, int)[Sizes];
    private int _count;
    private long _bytes;

    /// <param name="mostOfSize">The most guards of one size.</param>
    /// <param name="mostBytes">The most bytes in all.</param>
    public SmallKept(int mostOfSize, int mostBytes)
    {
        _mostOfSize = mostOfSize;
        _mostBytes = mostBytes;
        _guards = new LifetimeGuard?[Sizes * mostOfSize];
    }

    /// <summary>How many guards there are.</summary>
    public readonly int Count => _count;

    /// <summary>What they keep together, in bytes.</summary>
    public readonly long Bytes => _bytes;

    /// <summary>How many guards there are of a size.</summary>
    public readonly int CountOf(int size) => _counts[size];

    /// <summary>The guard of that size that came last, if there is one.</summary>
    public readonly LifetimeGuard? Last(int size) => _counts[size] is not 0 and int count ? _guards[(size * _mostOfSize) + count - 1] : null;

    /// <summary>Takes what <see cref="Last"/> said.</summary>
    /// <param name="size">Its size.</param>
    /// <param name="bytes">The bytes that it was added with.</param>
    public void RemoveLast(int size, int bytes)
    {
        _guards[(size * _mostOfSize) + --_counts[size]] = null;
        _count--;
        _bytes -= bytes;
    }

    /// <summary>Whether there is room for so many bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool HasRoomFor(long bytes) => _bytes + bytes <= _mostBytes;

    /// <summary>Whether there is room for one more.</summary>
    public readonly bool HasRoom(int size, int bytes) => _counts[size] < _mostOfSize && HasRoomFor(bytes);

    /// <summary>Adds a guard.</summary>
    /// <param name="size">The size of what it keeps.</param>
    /// <param name="bytes">How many bytes these are: always the same for a size.</param>
    /// <param name="guard">The guard.</param>
    /// <returns>False when there is no room.</returns>
    public bool TryAdd(int size, int bytes, LifetimeGuard guard)
    {
        if (!HasRoom(size, bytes))
        {
            return false;
        }

        _guards[(size * _mostOfSize) + _counts[size]++] = guard;
        _count++;
        _bytes += bytes;
        return true;
    }

    /// <summary>How often in a row there was no room for one more, without a rent of that size in between, as far as can be told.</summary>
    /// <param name="size">The size.</param>
    /// <param name="other">The version of one more of that size that is kept elsewhere; 0 if there is none.</param>
    public readonly int CountFull(int size, uint other)
    {
        (int place, uint version, uint otherBefore, int times) = _lastWhenFull[size];
        bool isSame = place != 0 && place <= _counts[size] && _guards[(size * _mostOfSize) + place - 1]!.Version == version && otherBefore == other;
        return isSame ? times + 1 : 1;
    }

    /// <summary>Remembers that there was no room for one more.</summary>
    /// <param name="size">The size.</param>
    /// <param name="other">What <see cref="CountFull"/> was told.</param>
    /// <param name="times">What <see cref="CountFull"/> said.</param>
    public readonly void RememberFull(int size, uint other, int times)
    {
        LifetimeGuard? last = Last(size);
        _lastWhenFull[size] = last is null ? default : (_counts[size], last.Version, other, times);
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

            LifetimeGuard guard = GuardsOf(size)[0]!;
            RemoveFirst(1, size, guard.HeldBytes);
            return guard;
        }

        return null;
    }

    /// <summary>Moves guards of a size that came first.</summary>
    /// <param name="most">How many, if there are so many, and room for them.</param>
    /// <param name="size">The size.</param>
    /// <param name="to">Where they go.</param>
    /// <returns>How many that were.</returns>
    public int MoveFirst(int most, int size, ref SmallKept to)
    {
        Span<LifetimeGuard?> guards = GuardsOf(size);
        if (guards.IsEmpty)
        {
            return 0;
        }

        long bytes = guards[0]!.HeldBytes;
        int moved = 0;
        while (moved < Math.Min(most, guards.Length) && to.TryAdd(size, (int)bytes, guards[moved]!))
        {
            moved++;
        }

        RemoveFirst(moved, size, bytes);
        return moved;
    }

    private readonly Span<LifetimeGuard?> GuardsOf(int size) => _guards.AsSpan(size * _mostOfSize, _counts[size]);

    private void RemoveFirst(int count, int size, long bytes)
    {
        Span<LifetimeGuard?> guards = GuardsOf(size);
        guards.Slice(count).CopyTo(guards);
        guards.Slice(guards.Length - count).Clear();
        _counts[size] -= count;
        _count -= count;
        _bytes -= count * bytes;
    }
}
