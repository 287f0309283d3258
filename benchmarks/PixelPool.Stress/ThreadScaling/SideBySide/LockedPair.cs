namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>The least that a pool shared by threads can do: lock and pop, lock and push. Each thread has one of its own.</summary>
internal readonly struct LockedPair() : IUntouchedRent
{
    private readonly Lock _lock = new();
    private readonly Stack<nint> _idle = new([1, 2, 3, 4]);

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
