using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>
/// Pixels at a fixed address for native code: one pointer, a size and a stride. Got from <see cref="PixelBuffer{TPixel}.Pin"/>.
/// </summary>
/// <remarks>
/// A pin holds a reference on the memory: it stays valid until <see cref="Dispose"/>, also when the buffer is disposed before. A pin that is
/// forgotten is found by the finalizer of the memory, and counted as a leak. Thread-safe.
/// </remarks>
public sealed unsafe class PinnedPixels : IDisposable
{
    private readonly LifetimeGuard _guard;
    private readonly uint _version;
    private readonly nint _pointer;
    private int _disposed;

    /// <summary>Takes a reference on the rent over.</summary>
    internal PinnedPixels(LifetimeGuard guard, uint version, nint pointer, int width, int height, int stride)
    {
        _guard = guard;
        _version = version;
        _pointer = pointer;
        Width = width;
        Height = height;
        Stride = stride;
    }

    /// <summary>The address of the first pixel of the first row.</summary>
    /// <exception cref="ObjectDisposedException">The pin was disposed.</exception>
    public void* Pointer
    {
        get
        {
            if (IsDisposed)
            {
                Throw.Returned(typeof(PinnedPixels));
            }

            return (void*)_pointer;
        }
    }

    /// <summary>Pixels of a row.</summary>
    public int Width { get; }

    /// <summary>Rows.</summary>
    public int Height { get; }

    /// <summary>Bytes from the start of a row to the start of the next one.</summary>
    public int Stride { get; }

    /// <summary>Releases the memory: the pointer must not be used any more. Idempotent.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            _guard.OnLetGo(this);
            _guard.TryRelease(_version);
        }
    }

    /// <summary>Size, address and state, for debuggers.</summary>
    public override string ToString() =>
        $"{Width} x {Height} pixels{(IsDisposed ? string.Empty : $" at 0x{_pointer:X}")}, {ByteSize.Format(Stride)} from row to row"
        + (IsDisposed ? ", disposed" : string.Empty);

    private bool IsDisposed => Volatile.Read(ref _disposed) != 0;
}
