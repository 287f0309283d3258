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
    public override void ProcessRows<TPixel2, TState>(
        Image<TPixel2> other, TState state, RowsAction<TPixel, TPixel2, TState> process) =>
        _buffer.ProcessPixelRows(
            ((PooledImage<TPixel2>)other)._buffer,
            (State: state, Process: process),
            static (accessor, accessor2, work) =>
                work.Process(new PixelRows<TPixel>(accessor), new PixelRows<TPixel2>(accessor2), work.State));

    /// <inheritdoc/>
    public override PinnedImage Pin()
    {
        PinnedPixels pixels = _buffer.Pin();
        return new PinnedImage(pixels.Pointer, pixels.Stride, pixels);
    }

    /// <inheritdoc/>
    public override void Dispose() => _buffer.Dispose();
}
