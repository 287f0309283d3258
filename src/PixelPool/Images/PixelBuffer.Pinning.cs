namespace PixelPool;

// Pointers for native code.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>
    /// Fixes the pixels for native code and holds their memory until the pin is disposed. Any number of pins may exist at once. Images larger than a block must
    /// be rented with <see cref="AllocationOptions.Contiguous"/>. A view whose rows lie in one block can be pinned, too.
    /// </summary>
    /// <exception cref="InvalidMemoryOperationException">The pixels are not contiguous (<see cref="IsContiguous"/>).</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public PinnedPixels Pin() => Hold().Pin();
}
