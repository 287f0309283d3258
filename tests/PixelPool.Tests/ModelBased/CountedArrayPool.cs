using System.Buffers;

namespace PixelPool.Tests.ModelBased;

/// <summary>A pool with arrays as long as those of <see cref="ArrayPool{T}.Shared"/>, the last one first, that knows what of it is rented.</summary>
internal sealed class CountedArrayPool : ArrayPool<byte>
{
    private const int Shortest = 16;

    private readonly Dictionary<int, Stack<byte[]>> _idle = [];
    private readonly HashSet<byte[]> _rented = [];
    private long _rentedBytes;

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

    public long RentedBytes
    {
        get
        {
            lock (_idle)
            {
                return _rentedBytes;
            }
        }
    }

    public override byte[] Rent(int minimumLength)
    {
        int length = Shortest;
        while (length < minimumLength)
        {
            length *= 2;
        }

        lock (_idle)
        {
            byte[] array = _idle.TryGetValue(length, out Stack<byte[]>? idle) && idle.TryPop(out byte[]? last) ? last : new byte[length];
            Assert.True(_rented.Add(array), "an array is rented twice");
            _rentedBytes += length;
            return array;
        }
    }

    public override void Return(byte[] array, bool clearArray = false)
    {
        lock (_idle)
        {
            Assert.True(_rented.Remove(array), "an array was returned twice, or is not from here");
            _rentedBytes -= array.Length;
            if (!_idle.TryGetValue(array.Length, out Stack<byte[]>? idle))
            {
                _idle.Add(array.Length, idle = new Stack<byte[]>());
            }

            idle.Push(array);
        }
    }
}
