using System.Runtime.CompilerServices;
using PixelPool.Lifetime;

namespace PixelPool.Pooling;

/// <summary>
/// Guards that keep their memory: blocks, arrays, or pieces of slabs. There is a stack for each size, and what was returned last is on top. Whoever uses it has it for itself.
/// </summary>
/// <param name="mostOfSize">The most guards of one size.</param>
/// <param name="mostSmallBytes">The most bytes of small memory in all.</param>
/// <param name="mostBlocks">The most blocks; no more than guards of one size.</param>
internal struct Magazines(int mostOfSize, int mostSmallBytes, int mostBlocks)
{
    /// <summary>The first size of arrays. Pieces of slabs have those before, from 0 on.</summary>
    public const int FirstOfArrays = 32;

    /// <summary>The size of a block. Those before are small memory.</summary>
    public const int Block = FirstOfArrays + 20;

    /// <summary>What is not kept.</summary>
    public const int None = -1;

    private const int Sizes = Block + 1;

    private readonly LifetimeGuard?[] _guards = new LifetimeGuard?[Sizes * mostOfSize];
    private readonly int[] _counts = new int[Sizes];

    // How often one more of a size came while it was full, since one of it was taken.
    private readonly int[] _timesFull = new int[Sizes];
    private long _smallBytes;

    /// <summary>Small memory that they keep together, in bytes.</summary>
    public long SmallBytes => Volatile.Read(ref _smallBytes);

    /// <summary>How many guards there are of a size.</summary>
    public readonly int CountOf(int size) => Volatile.Read(ref _counts[size]);

    /// <summary>The guard of that size that came last, if there is one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly LifetimeGuard? Last(int size) => _counts[size] is not 0 and int count ? _guards[(size * mostOfSize) + count - 1] : null;

    /// <summary>The guards of that size.</summary>
    public readonly Span<LifetimeGuard?> GuardsOf(int size) => _guards.AsSpan(size * mostOfSize, _counts[size]);

    /// <summary>Takes what <see cref="Last"/> said.</summary>
    /// <param name="size">Its size.</param>
    /// <param name="bytes">The bytes that it was added with.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void RemoveLast(int size, int bytes)
    {
        int left = _counts[size] - 1;
        _guards[(size * mostOfSize) + left] = null;
        _timesFull[size] = 0;

        // What is left is written after its use was counted: see AccountStripe.ChargedIdleUses.
        Volatile.Write(ref _counts[size], left);
        if (size != Block)
        {
            Volatile.Write(ref _smallBytes, _smallBytes - bytes);
        }
    }

    /// <summary>Whether there is room for one more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool HasRoom(int size, int bytes) =>
        size == Block ? _counts[Block] < mostBlocks : _counts[size] < mostOfSize && _smallBytes + bytes <= mostSmallBytes;

    /// <summary>Adds a guard.</summary>
    /// <param name="size">The size of what it keeps.</param>
    /// <param name="bytes">How many bytes these are: always the same for a size.</param>
    /// <param name="guard">The guard.</param>
    /// <returns>False when there is no room.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryAdd(int size, int bytes, LifetimeGuard guard)
    {
        if (!HasRoom(size, bytes))
        {
            return false;
        }

        _guards[(size * mostOfSize) + _counts[size]++] = guard;
        if (size != Block)
        {
            _smallBytes += bytes;
        }

        return true;
    }

    /// <summary>Counts that there was no room for one more.</summary>
    /// <param name="size">The size.</param>
    /// <param name="most">So far it is counted.</param>
    /// <returns>How often in a row that was so, and nobody took one of that size in between.</returns>
    public readonly int CountFull(int size, int most) => _timesFull[size] = Math.Min(_timesFull[size] + 1, most);

    /// <summary>Takes the guard of that size that came last, if there is one.</summary>
    public LifetimeGuard? Take(int size)
    {
        LifetimeGuard? guard = Last(size);
        if (guard is not null)
        {
            RemoveLast(size, (int)guard.HeldBytes);
        }

        return guard;
    }

    /// <summary>Takes small memory of any size.</summary>
    public LifetimeGuard? TakeSmall()
    {
        LifetimeGuard? guard = null;
        for (int size = Block - 1; size >= 0 && guard is null; size--)
        {
            guard = Take(size);
        }

        return guard;
    }

    /// <summary>Moves small memory that came first.</summary>
    /// <param name="most">How many guards, if there are so many, and room for them.</param>
    /// <param name="size">The size.</param>
    /// <param name="to">Where they go.</param>
    /// <returns>How many that were.</returns>
    public int MoveFirst(int most, int size, ref Magazines to)
    {
        Span<LifetimeGuard?> guards = GuardsOf(size);
        long bytes = 0;
        int moved = 0;
        while (moved < Math.Min(most, guards.Length) && to.TryAdd(size, (int)guards[moved]!.HeldBytes, guards[moved]!))
        {
            bytes += guards[moved]!.HeldBytes;
            moved++;
        }

        guards.Slice(moved).CopyTo(guards);
        guards.Slice(guards.Length - moved).Clear();
        _counts[size] -= moved;
        Volatile.Write(ref _smallBytes, _smallBytes - bytes);
        return moved;
    }
}
