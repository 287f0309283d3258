using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Lifetime;

namespace PixelPool.Tiers;

/// <summary>All of a rent as <see cref="Memory{T}"/>, with the rent's own reference: it ends when this is disposed.</summary>
/// <remarks>
/// Some libraries take a span for every row. So it keeps where the memory is, and a span costs one look at the guard's state: memory that the owner's reference holds
/// does not move. An array does, so that is kept itself.
/// </remarks>
internal sealed unsafe class OwnedMemory<T> : GuardedMemory<T>
    where T : struct
{
    // The address. Of an array, twice the offset and one more: what is rented never begins at an odd address.
    private readonly nint _start;
    private byte[]? _array;
    private LifetimeGuard? _guard;

    /// <param name="guard">The rent. Its owner's reference is taken over.</param>
    /// <param name="length">Elements.</param>
    public OwnedMemory(LifetimeGuard guard, int length)
        : base(guard.Version, length)
    {
        _guard = guard;
        _array = guard.Array;
        _start = _array is null ? guard.FirstPiece : (2 * guard.ArrayOffset) + 1;
    }

    /// <remarks>The rent itself is looked at where a span is taken of it. So a span costs one look, not two.</remarks>
    public override Memory<T> Memory
    {
        get
        {
            if (_guard is null)
            {
                ThrowReturned();
            }

            return CreateMemory(Length);
        }
    }

    public override bool IsDisposed => _guard is not { } guard || !guard.IsCurrent(Version, LifetimeGuard.Owner);

    protected override LifetimeGuard? Guard => _guard;

    protected override nint PinnedAddress(LifetimeGuard guard) => guard.PinnedAddress(0);

    public override Span<T> GetSpan()
    {
        ThrowIfDisposed();
        return (_start & 1) == 0 ? new Span<T>((void*)_start, Length) : ArraySpan();
    }

    protected override void Dispose(bool disposing)
    {
        // Whoever keeps an owner that was disposed keeps no array, and no later rent from being found forgotten.
        _array = null;
        if (_guard is { } guard)
        {
            _guard = null;
            MemoryReturn.TryEnd(guard, Version);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<T> ArraySpan()
    {
        byte[]? array = _array;
        if (array is null)
        {
            // Another thread disposes it at this moment.
            Throw.Returned(Holder);
        }

        int offset = (int)_start >> 1;
#if NET
        return MemoryMarshal.CreateSpan(ref Unsafe.As<byte, T>(ref Unsafe.AddByteOffset(ref MemoryMarshal.GetArrayDataReference(array), offset)), Length);
#else
        return MemoryMarshal.Cast<byte, T>(array.AsSpan(offset, Length * Unsafe.SizeOf<T>()));
#endif
    }
}
