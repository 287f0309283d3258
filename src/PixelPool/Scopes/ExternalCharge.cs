using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>
/// A charge to the budget for memory that other code holds. <see cref="PixelAllocator.ChargeExternal"/> and <see cref="RentScope.ChargeExternal"/> return it.
/// Dispose it when that memory is freed, to give the bytes back to the budget. A forgotten charge gives them back when it is collected, and counts as leaked.
/// Thread-safe.
/// </summary>
public sealed class ExternalCharge : IRentHandle
{
    private readonly uint _version;

    // Null once the charge has ended: whoever keeps it keeps no later rent of the guard from being found forgotten.
    private LifetimeGuard? _guard;

    /// <summary>Takes the owner's reference on the guard over.</summary>
    internal ExternalCharge(LifetimeGuard guard)
    {
        Bytes = guard.HeldBytes;
        _guard = guard;
        _version = guard.Version;
    }

    /// <summary>Bytes that are charged.</summary>
    public long Bytes { get; }

    // No lambda where it is made: where there is no memory for what makes one, it fails for good.
    internal static ExternalCharge Of(LifetimeGuard guard) => new(guard);

    bool IRentHandle.IsDisposed => Volatile.Read(ref _guard) is not { } guard || !guard.IsCurrent(_version, LifetimeGuard.Owner);

    /// <summary>Gives the bytes back to the budget. Calling it again does nothing.</summary>
    public void Dispose()
    {
        if (_guard is { } guard)
        {
            _guard = null;
            guard.TryReleaseOwner(_version);
        }
    }

    /// <summary>Bytes and state, for debuggers.</summary>
    public override string ToString() => $"{ByteSize.Format(Bytes)} of external memory{(((IRentHandle)this).IsDisposed ? ", disposed" : string.Empty)}";
}
