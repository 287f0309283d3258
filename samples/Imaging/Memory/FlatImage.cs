using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Imaging.Memory;

/// <summary>An image in one run of bytes without padding.</summary>
internal sealed unsafe class FlatImage<TPixel>(IMemoryOwner<byte> owner, int width, int height) : Image<TPixel>(width, height)
    where TPixel : unmanaged
{
    private PixelRows<TPixel> Rows => new(MemoryMarshal.Cast<byte, TPixel>(owner.Memory.Span), Width);

    public override void ProcessRows<TState>(TState state, RowsAction<TPixel, TState> process) => process(Rows, state);

    public override void ProcessRows<TPixel2, TState>(
        Image<TPixel2> other, TState state, RowsAction<TPixel, TPixel2, TState> process) =>
        process(Rows, ((FlatImage<TPixel2>)other).Rows, state);

    public override PinnedImage Pin()
    {
        MemoryHandle handle = owner.Memory.Pin();
        return new PinnedImage(handle.Pointer, Width * Unsafe.SizeOf<TPixel>(), handle);
    }

    public override void Dispose() => owner.Dispose();
}
