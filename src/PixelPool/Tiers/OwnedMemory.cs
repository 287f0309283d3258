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
    // The address; or the offset in the array, if it is one. Once returned that is an empty one.
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
        _start = guard.FirstPiece;
    }

    public override bool IsDisposed => _guard is not { } guard || !guard.IsCurrent(Version, LifetimeGuard.Owner);

    protected override LifetimeGuard? Guard => _guard;

    protected override nint PinnedAddress(LifetimeGuard guard) => guard.PinnedAddress(0);

    public override Span<T> GetSpan()
    {
        if (IsDisposed)
        {
            ThrowReturned();
        }

        return _array is { } array ? ArraySpan(array) : new Span<T>((void*)_start, Length);
    }

    protected override void Dispose(bool disposing)
    {
        // Whoever keeps an owner that was disposed keeps no array, and no later rent from being found forgotten.
        if (_array is not null)
        {
            _array = [];
        }

        if (_guard is { } guard)
        {
            _guard = null;
            MemoryReturn.TryEnd(guard, Version);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<T> ArraySpan(byte[] array)
    {
        if (array.Length < Length)
        {
            // Another thread disposes it at this moment.
            ThrowReturned();
        }

#if NET
        return MemoryMarshal.CreateSpan(ref Unsafe.As<byte, T>(ref Unsafe.AddByteOffset(ref MemoryMarshal.GetArrayDataReference(array), _start)), Length);
#else
        return MemoryMarshal.Cast<byte, T>(array.AsSpan((int)_start, Length * Unsafe.SizeOf<T>()));
#endif
    }
}
