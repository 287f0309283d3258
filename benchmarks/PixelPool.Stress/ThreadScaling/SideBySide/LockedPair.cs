namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>The least that a pool shared by threads can do: lock and pop, lock and push. Each thread has one of its own.</summary>
internal readonly struct LockedPair() : IUntouchedRent
{
    // What one thread locks must not lie on a cache line with what the other one locks. The collector keeps the order of objects.
    private readonly byte[] _before = new byte[256];
    private readonly Lock _lock = new();
    private readonly Stack<nint> _idle = new([1, 2, 3, 4]);
    private readonly byte[] _after = new byte[256];

    public void RentAndReturn()
    {
        nint block;
        lock (_lock)
        {
            block = _idle.Pop();
        }

        lock (_lock)
        {
            _idle.Push(block);
        }
    }
}
