namespace Imaging.Memory;

/// <summary>Width × height pixels in memory that an <see cref="ImageMemory"/> gave; disposing gives it back.</summary>
public abstract class Image<TPixel>(int width, int height) : IDisposable
    where TPixel : unmanaged
{
    /// <summary>In pixels.</summary>
    public int Width { get; } = width;

    /// <summary>In pixels.</summary>
    public int Height { get; } = height;

    /// <summary>Width times height.</summary>
    public long PixelCount => (long)Width * Height;

    /// <summary>Calls <paramref name="process"/> with the rows, which are good until it returns.</summary>
    public abstract void ProcessRows<TState>(TState state, RowsAction<TPixel, TState> process);

    /// <summary>Makes the rows from any rows of <paramref name="source"/>, which must come from the same <see cref="ImageMemory"/>.</summary>
    public abstract void FilterRows<TSource, TState>(Image<TSource> source, TState state, RowsFilter<TPixel, TSource, TState> filter)
        where TSource : unmanaged;

    /// <summary>Holds the pixels in place for a native library; only for images rented <see cref="PixelLayout.Contiguous"/>.</summary>
    public abstract PinnedImage Pin();

    /// <summary>Gives the memory back. It must not be used any more.</summary>
    public abstract void Dispose();
}
