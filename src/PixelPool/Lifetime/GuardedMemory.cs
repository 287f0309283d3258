using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace PixelPool.Lifetime;

/// <summary>Memory of a rent as <see cref="Memory{T}"/>. It is checked against the rent whenever a span is taken, and pins hold the rent.</summary>
/// <param name="guard">The rent.</param>
/// <param name="version">The rent's version.</param>
/// <param name="length">Elements.</param>
internal abstract unsafe class GuardedMemory<T>(LifetimeGuard guard, uint version, int length) : MemoryManager<T>, IRentHandle
    where T : struct
{
    private int _pins;

    public override Memory<T> Memory
    {
        get
        {
            ThrowIfDisposed();
            return CreateMemory(length);
        }
    }

    public abstract bool IsDisposed { get; }

    void IRentHandle.AddGuards(HashSet<object> guards) => guards.Add(guard);

    protected LifetimeGuard Guard => guard;

    protected uint Version => version;

    protected int Length => length;

    /// <summary>What the user disposes, or should have: errors name it.</summary>
    protected virtual Type Holder => typeof(IMemoryOwner<T>);

    /// <summary>The address of the first element, for as long as the rent lasts. The caller holds a reference.</summary>
    protected abstract nint PinnedAddress { get; }

    /// <summary>Takes a reference of its own: the pointer is valid until <see cref="Unpin"/>, also when the owner is disposed before.</summary>
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        if ((uint)elementIndex > (uint)length)
        {
            Throw.OutOfRange(nameof(elementIndex), elementIndex, $"The index must be 0 to {length}.");
        }

        if (IsDisposed || !guard.TryAcquire(version))
        {
            ThrowReturned();
        }

        nint start;
        try
        {
            start = PinnedAddress;
        }
        catch
        {
            guard.TryRelease(version);
            throw;
        }

        Interlocked.Increment(ref _pins);
        guard.OnHeld(this);
        return new MemoryHandle((byte*)start + ((nint)elementIndex * Unsafe.SizeOf<T>()), pinnable: this);
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
                guard.OnLetGo(this);
                guard.TryRelease(version);
                return;
            }

            pins = seen;
        }
    }

    /// <summary>Elements, bytes and state, for debuggers.</summary>
    public override string ToString() =>
        $"{length} {TypeName.Of(typeof(T))}, {ByteSize.Format((long)length * Unsafe.SizeOf<T>())}{(IsDisposed ? ", disposed" : string.Empty)}";

    protected void ThrowIfDisposed()
    {
        if (IsDisposed)
        {
            ThrowReturned();
        }
    }

    /// <summary>Says that the rent has ended.</summary>
    [DoesNotReturn]
    protected virtual void ThrowReturned() => Throw.Returned(Holder);
}
