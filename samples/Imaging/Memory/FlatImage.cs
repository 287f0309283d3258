using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Imaging.Memory;

/// <summary>An image in one run of bytes without padding.</summary>
internal sealed unsafe class FlatImage<TPixel>(IMemoryOwner<byte> owner, int width, int height) : Image<TPixel>(width, height)
    where TPixel : unmanaged
{
    private Span<TPixel> Pixels => MemoryMarshal.Cast<byte, TPixel>(owner.Memory.Span);

    private PixelRows<TPixel> Rows => new(Pixels, Width);

    public override void ProcessRows<TState>(TState state, RowsAction<TPixel, TState> process) => process(Rows, state);

    public override void FilterRows<TSource, TState>(Image<TSource> source, TState state, RowsFilter<TPixel, TSource, TState> filter)
    {
        var read = (FlatImage<TSource>)source;
        filter(Rows, new ReadOnlyPixelRows<TSource>(read.Pixels, read.Width), state);
    }

    public override PinnedImage Pin()
    {
        MemoryHandle handle = owner.Memory.Pin();
        return new PinnedImage(handle.Pointer, Width * Unsafe.SizeOf<TPixel>(), handle);
    }

    public override void Dispose() => owner.Dispose();
}
