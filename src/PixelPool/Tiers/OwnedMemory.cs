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
    private readonly nint _address;
    private readonly int _arrayOffset;
    private byte[]? _array;

    /// <param name="guard">The rent. Its owner's reference is taken over.</param>
    /// <param name="length">Elements.</param>
    public OwnedMemory(LifetimeGuard guard, int length)
        : base(guard, guard.Version, length)
    {
        _array = guard.Array;
        if (_array is null)
        {
            _address = guard.FirstPiece;
        }
        else
        {
            _arrayOffset = guard.ArrayOffset;
        }
    }

    public override Memory<T> Memory
    {
        get
        {
            if (!Guard.IsCurrent(Version, LifetimeGuard.Owner))
            {
                Throw.Returned(Holder);
            }

            return CreateMemory(Length);
        }
    }

    public override bool IsDisposed => !Guard.IsCurrent(Version, LifetimeGuard.Owner);

    protected override nint PinnedAddress => Guard.PinnedAddress(0);

    public override Span<T> GetSpan()
    {
        if (!Guard.IsCurrent(Version, LifetimeGuard.Owner))
        {
            Throw.Returned(Holder);
        }

        return _address != 0 ? new Span<T>((void*)_address, Length) : ArraySpan();
    }

    protected override void Dispose(bool disposing)
    {
        // Who keeps an owner that was disposed keeps no array.
        _array = null;
        MemoryReturn.TryEnd(Guard, Version);
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

#if NET
        return MemoryMarshal.CreateSpan(ref Unsafe.As<byte, T>(ref Unsafe.AddByteOffset(ref MemoryMarshal.GetArrayDataReference(array), _arrayOffset)), Length);
#else
        return MemoryMarshal.Cast<byte, T>(array.AsSpan(_arrayOffset, Length * Unsafe.SizeOf<T>()));
#endif
    }
}
