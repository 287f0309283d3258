using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace PixelPool.Lifetime;

/// <summary>Memory of a rent as <see cref="Memory{T}"/>. It is checked against the rent whenever a span is taken, and pins hold the rent.</summary>
/// <param name="version">The rent's version.</param>
/// <param name="length">Elements.</param>
internal abstract unsafe class GuardedMemory<T>(uint version, int length) : MemoryManager<T>, IRentHandle
    where T : struct
{
    // What its own pin holds. Further ones at the same time are objects of their own: to end one of them twice ends no other. Pins that follow each other allocate nothing, so a copy of one that has
    // ended may end the next.
    private LifetimeGuard? _pinned;

    public override Memory<T> Memory
    {
        get
        {
            ThrowIfDisposed();
            return CreateMemory(length);
        }
    }

    public abstract bool IsDisposed { get; }

    void IRentHandle.AddGuards(HashSet<object> guards)
    {
        if (Guard is { } guard)
        {
            guards.Add(guard);
        }
    }

    /// <summary>The rent. Null once that is known to have ended.</summary>
    protected abstract LifetimeGuard? Guard { get; }

    protected uint Version => version;

    protected int Length => length;

    /// <summary>What the user disposes, or should have: errors name it.</summary>
    protected virtual Type Holder => typeof(IMemoryOwner<T>);

    /// <summary>The address of the first element, for as long as the rent lasts.</summary>
    /// <param name="guard">The rent. The caller holds a reference.</param>
    protected abstract nint PinnedAddress(LifetimeGuard guard);

    /// <summary>Takes a reference of its own: the pointer is valid until <see cref="Unpin"/>, also when the owner is disposed before.</summary>
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        if ((uint)elementIndex > (uint)length)
        {
            Throw.OutOfRange(nameof(elementIndex), elementIndex, $"The index must be 0 to {length}.");
        }

        LifetimeGuard guard = GuardOrThrow();
        if (!guard.TryAcquire(version))
        {
            ThrowReturned();
        }

        nint start;
        IPinnable pin;
        try
        {
            guard.CheckReferences();
            start = PinnedAddress(guard);
            pin = Interlocked.CompareExchange(ref _pinned, guard, null) is null ? this : new FurtherPin(this, guard);
        }
        catch
        {
            guard.TryRelease(version);
            throw;
        }

        guard.OnHeld(pin);
        return new MemoryHandle((byte*)start + ((nint)elementIndex * Unsafe.SizeOf<T>()), pinnable: pin);
    }

    /// <summary>Ends the memory's own pin, which the first <see cref="Pin"/> began; without one it does nothing.</summary>
    public override void Unpin() => EndPin(this, ref _pinned);

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

    /// <summary>The rent, if it has not ended.</summary>
    protected LifetimeGuard GuardOrThrow()
    {
        // Read first: another thread may end it at this moment.
        LifetimeGuard? guard = Guard;
        if (guard is null || IsDisposed)
        {
            ThrowReturned();
        }

        return guard;
    }

    /// <summary>Says that the rent has ended.</summary>
    [DoesNotReturn]
    protected virtual void ThrowReturned() => Throw.Returned(Holder);

    // Once, whoever ends it how often.
    private void EndPin(IPinnable pin, ref LifetimeGuard? held)
    {
        if (Interlocked.Exchange(ref held, null) is { } guard)
        {
            guard.OnLetGo(pin);
            guard.TryRelease(version);
        }
    }

    /// <summary>A pin of memory that is pinned already.</summary>
    /// <param name="memory">The memory.</param>
    /// <param name="guard">What the pin holds.</param>
    private sealed class FurtherPin(GuardedMemory<T> memory, LifetimeGuard guard) : IPinnable
    {
        private LifetimeGuard? _held = guard;

        public MemoryHandle Pin(int elementIndex) => memory.Pin(elementIndex);

        public void Unpin() => memory.EndPin(this, ref _held);
    }
}
