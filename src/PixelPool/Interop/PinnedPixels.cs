using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>Pixels at a fixed address for native code: one pointer, a size and a stride. <see cref="PixelBuffer{TPixel}.Pin"/> returns it.</summary>
/// <remarks>
/// A pin holds a reference to the memory, which stays valid until <see cref="Dispose"/>, even if the buffer is disposed before. If a pin is not disposed, a
/// finalizer returns the memory, and it is counted as a leak. For native code that keeps the memory after the call, use <see cref="GiveToNative"/>. Thread-safe.
/// </remarks>
public sealed unsafe class PinnedPixels : IDisposable
{
    private readonly uint _version;
    private readonly nint _address;

    // Null once the pin has ended: whoever keeps it keeps no later rent of the guard from being found forgotten.
    private LifetimeGuard? _guard;

    // How it ended, for whoever uses it afterwards. Written last: for a moment a pin that was given away calls itself disposed.
    private volatile bool _isGiven;

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

    /// <summary>The address of the first pixel of the first row, as a number, for imports that are declared without pointers.</summary>
    /// <exception cref="ObjectDisposedException">The pin was disposed, or given to native code.</exception>
    public nint Address
    {
        get
        {
            GuardOrThrow();
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
    /// Gives the pin to native code that keeps the memory until it calls a release function. Afterwards the pin behaves as if it was disposed. The memory is
    /// held until the release, even if the buffer, its scope and the allocator are disposed before.
    /// </summary>
    /// <returns>The address, and what native code has to call when it no longer needs the memory.</returns>
    /// <remarks>
    /// Until the release the memory is rented: the budget is charged, and <see cref="PixelAllocator.GetOutstandingRents"/> lists it. Memory that is never
    /// released is never returned by a finalizer, because native code may still use it.
    /// </remarks>
    /// <exception cref="ObjectDisposedException">The pin was disposed, or given to native code before.</exception>
    public NativePixels GiveToNative()
    {
        LifetimeGuard guard = GuardOrThrow();
        nint context = NativeReferences.Add(guard, _version, this);
        if (Interlocked.CompareExchange(ref _guard, null, guard) != guard)
        {
            // Another thread was faster. Nobody knows the context yet: the reference is still the pin's, or gone with it.
            NativeReferences.TryTake(context, out _);
            GuardOrThrow();
        }

        _isGiven = true;
        return new NativePixels { Address = _address, Width = Width, Height = Height, Stride = Stride, Context = context };
    }

    /// <summary>
    /// Releases the memory. Its address must not be used afterwards. Calling it again does nothing. For a pin that was given to native code it does nothing.
    /// </summary>
    /// <remarks>It can throw as <see cref="PixelBuffer{TPixel}.Dispose"/> can.</remarks>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _guard, null) is { } guard)
        {
            guard.TryRelease(_version, this);
        }
    }

    /// <summary>Size, address and state, for debuggers.</summary>
    public override string ToString()
    {
        bool isHeld = Volatile.Read(ref _guard) is not null;
        return $"{Width} x {Height} pixels{(isHeld || _isGiven ? $" at 0x{_address:X}" : string.Empty)}, stride {Plural.Of(Stride, "byte")}"
            + (isHeld ? string.Empty : _isGiven ? ", given to native code" : ", disposed");
    }

    private LifetimeGuard GuardOrThrow()
    {
        LifetimeGuard? guard = Volatile.Read(ref _guard);
        if (guard is null)
        {
            Throw.Disposed(nameof(PinnedPixels), _isGiven ? "This PinnedPixels was given to native code." : null);
        }

        return guard;
    }
}
