using System.Buffers;
using System.Runtime.InteropServices;

namespace PixelPool.Lifetime;

/// <summary>
/// A run of a rent as <see cref="Memory{T}"/>. It is checked against the rent whenever a span is taken. It only looks at memory that somebody else holds, unless a
/// derived type holds a reference.
/// </summary>
internal unsafe class GuardedMemory<T> : MemoryManager<T>, IRentHandle
    where T : unmanaged
{
    private readonly LifetimeGuard _guard;
    private readonly uint _version;
    private readonly int _block;
    private readonly nint _offset;
    private readonly int _length;
    private int _disposed;
    private int _pins;

    /// <param name="guard">The rent.</param>
    /// <param name="version">The rent's version.</param>
    /// <param name="block">The piece of the rent in which the run lies.</param>
    /// <param name="offset">Bytes from the start of that piece.</param>
    /// <param name="length">Elements.</param>
    public GuardedMemory(LifetimeGuard guard, uint version, int block, nint offset, int length)
    {
        _guard = guard;
        _version = version;
        _block = block;
        _offset = offset;
        _length = length;
    }

    public override Memory<T> Memory
    {
        get
        {
            ThrowIfReturned();
            return CreateMemory(_length);
        }
    }

    public bool IsDisposed => Volatile.Read(ref _disposed) != 0;

    /// <summary>What the user disposes, or should have: errors name it.</summary>
    protected virtual Type Holder => typeof(IMemoryOwner<T>);

    public override Span<T> GetSpan()
    {
        ThrowIfReturned();
        return _guard.Array is { } array
            ? MemoryMarshal.Cast<byte, T>(array.AsSpan(_guard.ArrayOffset + (int)_offset, _length * sizeof(T)))
            : new Span<T>((byte*)_guard.Blocks[_block] + _offset, _length);
    }

    /// <summary>Takes a reference of its own: the pointer is valid until <see cref="Unpin"/>, also when the owner is disposed before.</summary>
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        if ((uint)elementIndex > (uint)_length)
        {
            Throw.OutOfRange(nameof(elementIndex), elementIndex, $"The index must be 0 to {_length}.");
        }

        if (IsDisposed || !_guard.TryAcquire(_version))
        {
            Throw.Returned(Holder);
        }

        nint start;
        try
        {
            start = _guard.PinnedAddress(_block);
        }
        catch
        {
            _guard.TryRelease(_version);
            throw;
        }

        Interlocked.Increment(ref _pins);
        _guard.OnHeld(this);
        return new MemoryHandle((byte*)start + _offset + ((nint)elementIndex * sizeof(T)), pinnable: this);
    }

    /// <summary>Releases the reference of one <see cref="Pin"/>; without one it does nothing.</summary>
    public override void Unpin()
    {
        int pins = Volatile.Read(ref _pins);
        while (pins > 0)
        {
            int seen = Interlocked.CompareExchange(ref _pins, pins - 1, pins);
            if (seen == pins)
            {
                _guard.OnLetGo(this);
                _guard.TryRelease(_version);
                return;
            }

            pins = seen;
        }
    }

    /// <summary>Elements, bytes and state, for debuggers.</summary>
    public override string ToString() =>
        $"{_length} {TypeName.Of(typeof(T))}, {ByteSize.Format((long)_length * sizeof(T))}{(IsUsable ? string.Empty : ", disposed")}";

    protected override void Dispose(bool disposing)
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            End(_guard, _version);
        }
    }

    /// <summary>It was disposed. Releases the reference that it holds, if it holds one.</summary>
    protected virtual void End(LifetimeGuard guard, uint version)
    {
    }

    private bool IsUsable => !IsDisposed && _guard.IsCurrent(_version);

    private void ThrowIfReturned()
    {
        if (!IsUsable)
        {
            Throw.Returned(Holder);
        }
    }
}
