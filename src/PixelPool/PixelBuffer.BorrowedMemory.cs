using PixelPool.Lifetime;

namespace PixelPool;

/// <content>Pixels as <see cref="Memory{T}"/>, which the buffer lends.</content>
public sealed partial class PixelBuffer<TPixel>
    where TPixel : unmanaged
{
    /// <summary>A run of the pixels, as elements of some type. It ends with the buffer, and says so.</summary>
    private sealed class BorrowedMemory<T>(PixelBuffer<TPixel> buffer, int block, nint offset, int length)
        : GuardedMemory<T>(buffer._guard, buffer._version, block, offset, length)
        where T : unmanaged
    {
        protected override Type Holder => typeof(PixelBuffer<TPixel>);
    }
}
