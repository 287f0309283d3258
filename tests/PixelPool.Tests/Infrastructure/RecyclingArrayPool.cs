using System.Buffers;

namespace PixelPool.Tests.Infrastructure;

/// <summary>
/// Arrays that are rented again as soon as they are returned, the last one first: a return that comes too early is seen by the next rent. Knows which
/// arrays are rented, and refuses a second return.
/// </summary>
internal sealed class RecyclingArrayPool : ArrayPool<byte>
{
    private readonly Stack<byte[]> _idle = new();
    private readonly HashSet<byte[]> _rented = [];
    private WeakReference? _lastRented;

    /// <summary>False lets go of arrays that are returned, so that the collector can say whether somebody else still holds them.</summary>
    public bool KeepsIdle { get; init; } = true;

    /// <summary>The array that was rented last, if anything still holds it.</summary>
    public byte[]? LastRented => (byte[]?)_lastRented?.Target;

    /// <summary>Arrays that were not returned yet.</summary>
    public int RentedCount
    {
        get
        {
            lock (_idle)
            {
                return _rented.Count;
            }
        }
    }

    public override byte[] Rent(int minimumLength)
    {
        lock (_idle)
        {
            byte[] array = _idle.Count != 0 && _idle.Peek().Length >= minimumLength ? _idle.Pop() : SteadyArray.Create(minimumLength);
            Assert.True(_rented.Add(array), "an array is rented twice");
            _lastRented = new WeakReference(array);
            return array;
        }
    }

    public override void Return(byte[] array, bool clearArray = false)
    {
        lock (_idle)
        {
            Assert.True(_rented.Remove(array), "an array was returned twice, or is not from here");
            if (KeepsIdle)
            {
                _idle.Push(array);
            }
        }
    }
}
