namespace PixelPool.Measuring;

/// <summary>A ring through which one thread sends to one other, without locks and without allocating. Who has to wait spins, and yields its processor.</summary>
/// <typeparam name="T">What is sent.</typeparam>
/// <param name="capacity">Items that may be on their way; a power of two.</param>
public sealed class HandoverRing<T>(int capacity)
{
    private readonly T[] _items = new T[capacity];
    private HandoverPositions _positions;

    /// <summary>Items that the receiver is done with; any thread may ask.</summary>
    public long DoneCount => Volatile.Read(ref _positions.Done);

    /// <summary>The receiver's side: whether an item is there.</summary>
    public bool HasItem => Volatile.Read(ref _positions.Sent) != _positions.Done;

    /// <summary>The sender's side: waits for room.</summary>
    public void Send(T item)
    {
        long sent = _positions.Sent;
        if (sent - _positions.SeenDone >= capacity)
        {
            WaitUntilDone(sent - capacity + 1);
        }

        _items[(int)sent & (capacity - 1)] = item;
        Volatile.Write(ref _positions.Sent, sent + 1);
    }

    /// <summary>The sender's side: waits until the receiver is done with everything that was sent.</summary>
    public void WaitUntilEmpty() => WaitUntilDone(_positions.Sent);

    /// <summary>The receiver's side: waits for an item. It keeps its place in the ring until <see cref="MarkDone"/>.</summary>
    public T Receive()
    {
        long done = _positions.Done;
        if (_positions.SeenSent == done)
        {
            _positions.SeenSent = WaitUntilOver(ref _positions.Sent, done);
        }

        return _items[(int)done & (capacity - 1)];
    }

    /// <summary>The receiver's side: the place of the item that it received last is free.</summary>
    public void MarkDone() => Volatile.Write(ref _positions.Done, _positions.Done + 1);

    private void WaitUntilDone(long count) => _positions.SeenDone = WaitUntilOver(ref _positions.Done, count - 1);

    private static long WaitUntilOver(ref long position, long limit)
    {
        SpinWait spin = default;
        long seen;
        while ((seen = Volatile.Read(ref position)) <= limit)
        {
            spin.SpinOnce(sleep1Threshold: -1);
        }

        return seen;
    }
}
