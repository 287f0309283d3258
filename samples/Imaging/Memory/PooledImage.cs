using PixelPool;

namespace Imaging.Memory;

/// <summary>An image in blocks of the pool.</summary>
public sealed unsafe class PooledImage<TPixel>(PixelBuffer<TPixel> buffer) : Image<TPixel>(buffer.Width, buffer.Height)
    where TPixel : unmanaged
{
    private readonly PixelBuffer<TPixel> _buffer = buffer;

    /// <inheritdoc/>
    public override void ProcessRows<TState>(TState state, RowsAction<TPixel, TState> process) =>
        _buffer.ProcessPixelRows(
            (State: state, Process: process),
            static (accessor, work) => work.Process(new PixelRows<TPixel>(accessor), work.State));

    /// <inheritdoc/>
    public override void FilterRows<TSource, TState>(Image<TSource> source, TState state, RowsFilter<TPixel, TSource, TState> filter) =>
        _buffer.FilterPixelRows(
            ((PooledImage<TSource>)source)._buffer,
            (State: state, Filter: filter),
            static (band, source, work) => work.Filter(new PixelRows<TPixel>(band), new ReadOnlyPixelRows<TSource>(source), work.State));

    /// <inheritdoc/>
    public override PinnedImage Pin()
    {
        PinnedPixels pixels = _buffer.Pin();
        return new PinnedImage(pixels.Pointer, pixels.Stride, pixels);
    }

    /// <inheritdoc/>
    public override void Dispose() => _buffer.Dispose();
}
