using PixelPool.Budgets;
using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>
/// Memory that others hold and the budget pays for: got from <see cref="PixelAllocator.ChargeExternal"/> or <see cref="RentScope.ChargeExternal"/>. Disposed when
/// that memory is freed, it gives the bytes back. One that is forgotten gives them back when it is collected. Thread-safe.
/// </summary>
public sealed class ExternalCharge : IRentHandle
{
    private readonly UniformUnmanagedMemoryPool _pool;
    private readonly MemoryBudget? _budget;
    private int _disposed;

    /// <summary>Takes a charge of the budget over.</summary>
    internal ExternalCharge(UniformUnmanagedMemoryPool pool, MemoryBudget? budget, long bytes)
    {
        Bytes = bytes;
        _pool = pool;
        _budget = budget;
    }

    /// <summary>Gives the bytes of a charge back that was forgotten.</summary>
    ~ExternalCharge() => End();

    /// <summary>Bytes that are charged.</summary>
    public long Bytes { get; }

    bool IRentHandle.IsDisposed => Volatile.Read(ref _disposed) != 0;

    /// <summary>Gives the bytes back. Idempotent.</summary>
    public void Dispose()
    {
        End();
        GC.SuppressFinalize(this);
    }

    /// <summary>Makes room for the bytes.</summary>
    internal void Begin() => _pool.HoldExternal(Bytes);

    private void End()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            _pool.EndExternal(Bytes);
            _budget?.Release(Bytes);
        }
    }
}
