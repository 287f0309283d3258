using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>
/// Pixels at a fixed address for native code: one pointer, a size and a stride. Got from <see cref="PixelBuffer{TPixel}.Pin"/>.
/// </summary>
/// <remarks>
/// A pin holds a reference on the memory: it stays valid until <see cref="Dispose"/>, also when the buffer is disposed before. A pin that is
/// forgotten is found by the finalizer of the memory, and counted as a leak. Native code that keeps the memory after the call gets the pin for itself:
/// <see cref="GiveToNative"/>. Thread-safe.
/// </remarks>
public sealed unsafe class PinnedPixels : IDisposable
{
    private const int Held = 0;
    private const int Disposed = 1;
    private const int Given = 2;

    private readonly LifetimeGuard _guard;
    private readonly uint _version;
    private readonly nint _address;
    private int _state;

    /// <summary>Takes a reference on the rent over.</summary>
    internal PinnedPixels(LifetimeGuard guard, uint version, nint address, int width, int height, int stride)
    {
        _guard = guard;
        _version = version;
        _address = address;
        Width = width;
        Height = height;
        Stride = stride;
    }

    /// <summary>The address of the first pixel of the first row, as a number: what imports that are declared without pointers take.</summary>
    /// <exception cref="ObjectDisposedException">The pin was disposed, or given to native code.</exception>
    public nint Address
    {
        get
        {
            ThrowIfEnded();
            return _address;
        }
    }

    /// <summary>The address of the first pixel of the first row, as a pointer.</summary>
    /// <exception cref="ObjectDisposedException">The pin was disposed, or given to native code.</exception>
    public void* Pointer => (void*)Address;

    /// <summary>Width in pixels.</summary>
    public int Width { get; }

    /// <summary>Height in rows.</summary>
    public int Height { get; }

    /// <summary>Bytes from the start of a row to the start of the next one.</summary>
    public int Stride { get; }

    /// <summary>
    /// Gives the pin to native code that keeps the memory until it calls a release function. From here on the pin is as if it was disposed, and the memory
    /// is held until that call: also when the buffer, its scope and the allocator are disposed before.
    /// </summary>
    /// <returns>The address, and what native code has to call when it does not need the memory any more.</returns>
    /// <remarks>
    /// Until the release the memory is rented: the budget is charged, and <see cref="PixelAllocator.GetOutstandingRents"/> lists it. What is never released
    /// is never returned by a finalizer, because native code may still use it.
    /// </remarks>
    /// <exception cref="ObjectDisposedException">The pin was disposed, or given to native code before.</exception>
    public NativePixels GiveToNative()
    {
        ThrowIfEnded();
        nint context = NativeReferences.Add(_guard, _version, this);
        if (Interlocked.CompareExchange(ref _state, Given, Held) != Held)
        {
            // Another thread was faster. Nobody knows the context yet: the reference is still the pin's, or gone with it.
            NativeReferences.Forget(context);
            ThrowIfEnded();
        }

        return new NativePixels(_address, Width, Height, Stride, context);
    }

    /// <summary>Releases the memory: its address must not be used any more. Idempotent. Of a pin that was given to native code it does nothing.</summary>
    public void Dispose()
    {
        if (Interlocked.CompareExchange(ref _state, Disposed, Held) == Held)
        {
            _guard.OnLetGo(this);
            _guard.TryRelease(_version);
        }
    }

    /// <summary>Size, address and state, for debuggers.</summary>
    public override string ToString()
    {
        int state = Volatile.Read(ref _state);
        return $"{Width} x {Height} pixels{(state == Disposed ? string.Empty : $" at 0x{_address:X}")}, {ByteSize.Format(Stride)} from row to row"
            + state switch { Disposed => ", disposed", Given => ", given to native code", _ => string.Empty };
    }

    private void ThrowIfEnded()
    {
        int state = Volatile.Read(ref _state);
        if (state == Given)
        {
            Throw.Given(typeof(PinnedPixels));
        }

        if (state == Disposed)
        {
            Throw.Returned(typeof(PinnedPixels));
        }
    }
}
