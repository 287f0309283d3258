using System.Numerics;
using System.Runtime.CompilerServices;
using PixelPool.Threading;

namespace PixelPool.Pooling;

/// <summary>Guesses which cache is that of the calling thread, by the address of its stack.</summary>
/// <remarks>
/// What is thread static lies behind many loads, each of which waits for the one before. A guess is two loads away. It is compared with the number of the thread, but nothing
/// waits for the comparison: the processor predicts it. That takes a tenth off a rent and its return.
/// </remarks>
internal struct LikelyCaches
{
    // A thread rarely uses more of its stack than this, and stacks of two threads are further apart.
    private const int StackShift = 20;

    private const int PlacesPerCache = 4;

    private readonly int _hashShift;
    private ThreadCache?[] _places = [];

    /// <param name="most">The most caches.</param>
    public LikelyCaches(int most) => _hashShift = 31 - BitOperations.Log2((uint)(most * PlacesPerCache) - 1);

    /// <summary>The guess; null when there is none.</summary>
    public readonly ThreadCache? Guess
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            ThreadCache?[] places = _places;
            uint place = Place;
            return place < (uint)places.Length ? places[place] : null;
        }
    }

    /// <summary>Makes room for guesses: before there is a cache none is needed.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for that.</exception>
    public void Open()
    {
        if (_places.Length == 0)
        {
            Volatile.Write(ref _places, new ThreadCache?[1 << (32 - _hashShift)]);
        }
    }

    /// <summary>Says that a cache, for which there is room, is that of the calling thread. A place that another one uses stays with it, so that two threads do not take turns in writing to it.</summary>
    public readonly void Learn(ThreadCache mine)
    {
        ref ThreadCache? place = ref _places[Place];
        if (Volatile.Read(ref place) is null or { IsRetired: true })
        {
            Volatile.Write(ref place, mine);
        }
    }

    /// <summary>A cache is used no more.</summary>
    public readonly void Forget(ThreadCache cache)
    {
        foreach (ref ThreadCache? place in _places.AsSpan())
        {
            Interlocked.CompareExchange(ref place, null, cache);
        }
    }

    // By the golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4): stacks lie at regular distances.
    private readonly unsafe uint Place
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            byte here;
            return ((uint)((nuint)(&here) >> StackShift) * 0x9E37_79B1) >> _hashShift;
        }
    }
}
