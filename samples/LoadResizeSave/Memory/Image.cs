namespace LoadResizeSave.Memory;

/// <summary>Width × height pixels in memory that an <see cref="ImageMemory"/> gave; disposing gives it back.</summary>
internal abstract class Image<TPixel>(int width, int height) : IDisposable
    where TPixel : unmanaged
{
    public int Width { get; } = width;

    public int Height { get; } = height;

    public long PixelCount => (long)Width * Height;

    public abstract void ProcessRows<TState>(TState state, RowsAction<TPixel, TState> process);

    /// <summary>Both images must come from the same <see cref="ImageMemory"/>.</summary>
    public abstract void ProcessRows<TPixel2, TState>(Image<TPixel2> other, TState state, RowsAction<TPixel, TPixel2, TState> process)
        where TPixel2 : unmanaged;

    /// <summary>Holds the pixels in place for a native library; only for images rented <see cref="PixelLayout.Contiguous"/>.</summary>
    public abstract PinnedImage Pin();

    public abstract void Dispose();
}
