using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using PixelPool.Lifetime;

namespace PixelPool;

// Pixels as Memory<T>, which the buffer lends.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>
    /// A run of the pixels, as elements of some type. It ends with the buffer, and says so. It knows the buffer, not its guard: whoever keeps it keeps no rent from being found.
    /// </summary>
    /// <param name="buffer">The image.</param>
    /// <param name="block">The piece of the rent in which the run lies.</param>
    /// <param name="offset">Bytes from the start of that piece.</param>
    /// <param name="length">Elements.</param>
    /// <param name="throwEnded">Says what has ended, if it is not the buffer for whoever uses the memory.</param>
    private sealed unsafe class BorrowedMemory<T>(PixelBuffer<TPixel> buffer, int block, nint offset, int length, Action? throwEnded)
        : GuardedMemory<T>(buffer._version, length)
        where T : unmanaged
    {
        public override bool IsDisposed => buffer.IsDisposed;

        protected override LifetimeGuard? Guard => buffer._guard;

        protected override nint PinnedAddress(LifetimeGuard guard) => guard.PinnedAddress(block) + offset;

        public override Span<T> GetSpan()
        {
            LifetimeGuard guard = GuardOrThrow();
            return guard.Array is { } array
                ? MemoryMarshal.Cast<byte, T>(array.AsSpan((int)(guard.FirstPiece + offset), Length * sizeof(T)))
                : new Span<T>((byte*)guard.AddressOf(block) + offset, Length);
        }

        [DoesNotReturn]
        protected override void ThrowReturned()
        {
            throwEnded?.Invoke();
            Throw.Returned(typeof(PixelBuffer<TPixel>));
        }

        // It only looks at memory that the buffer holds.
        protected override void Dispose(bool disposing)
        {
        }
    }
}
