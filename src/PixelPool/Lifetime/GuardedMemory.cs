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
    /// <remarks>The rent itself is looked at where a span is taken of it. So a span costs one look, not two.</remarks>
    public override Memory<T> Memory
    {
        get
        {
            if (Guard is null)
            {
                ThrowReturned();
            }

            return CreateMemory(length);
        }
    }

    public abstract bool IsDisposed { get; }

    /// <summary>The rent. Null once that is known to have ended.</summary>
    protected abstract LifetimeGuard? Guard { get; }

    protected uint Version => version;

    protected int Length => length;

    /// <summary>The address of the first element, for as long as the rent lasts.</summary>
    /// <param name="guard">The rent. The caller holds a reference.</param>
    protected abstract nint PinnedAddress(LifetimeGuard guard);

    /// <summary>Takes a reference of its own: the pointer is valid until the handle is disposed, also when the owner is disposed before. Handles can be disposed twice, and copies of them.</summary>
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

        try
        {
            nint start = PinnedAddress(guard);
            var pin = new MemoryPin(this, guard);
            guard.OnHeld(pin);
            return new MemoryHandle((byte*)start + ((nint)elementIndex * Unsafe.SizeOf<T>()), pinnable: pin);
        }
        catch
        {
            guard.TryRelease(version);
            throw;
        }
    }

    /// <summary>Does nothing: each pin is an object, which its handle ends.</summary>
    public override void Unpin()
    {
    }

    /// <summary>Elements, bytes and state, for debuggers.</summary>
    public override string ToString() =>
        $"{length} {TypeName.Of(typeof(T))}, {ByteSize.Format((long)length * Unsafe.SizeOf<T>())}{(IsDisposed ? ", disposed" : string.Empty)}";

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

    /// <summary>Says that the rent has ended, by what the user disposes, or should have.</summary>
    [DoesNotReturn]
    protected virtual void ThrowReturned() => Throw.Returned(typeof(IMemoryOwner<T>));

    /// <summary>One pin: to end it twice ends no other.</summary>
    /// <param name="memory">The memory.</param>
    /// <param name="guard">What the pin holds.</param>
    private sealed class MemoryPin(GuardedMemory<T> memory, LifetimeGuard guard) : IPinnable
    {
        private LifetimeGuard? _held = guard;

        public MemoryHandle Pin(int elementIndex) => memory.Pin(elementIndex);

        public void Unpin()
        {
            if (Interlocked.Exchange(ref _held, null) is { } guard)
            {
                guard.TryRelease(memory.Version, this);
            }
        }
    }
}
