using System.Runtime.InteropServices;
using PixelPool.Lifetime;

namespace PixelPool;

/// <content>Pixels as <see cref="Memory{T}"/>, which the buffer lends.</content>
public sealed partial class PixelBuffer<TPixel>
    where TPixel : unmanaged
{
    /// <summary>A run of the pixels, as elements of some type. It ends with the buffer, and says so.</summary>
    /// <param name="buffer">The image.</param>
    /// <param name="block">The piece of the rent in which the run lies.</param>
    /// <param name="offset">Bytes from the start of that piece.</param>
    /// <param name="length">Elements.</param>
    private sealed unsafe class BorrowedMemory<T>(PixelBuffer<TPixel> buffer, int block, nint offset, int length)
        : GuardedMemory<T>(buffer._guard, buffer._version, length)
        where T : unmanaged
    {
        private int _disposed;

        public override bool IsDisposed => Volatile.Read(ref _disposed) != 0 || !Guard.IsCurrent(Version);

        protected override Type Holder => typeof(PixelBuffer<TPixel>);

        protected override nint PinnedAddress => Guard.PinnedAddress(block) + offset;

        public override Span<T> GetSpan()
        {
            ThrowIfDisposed();
            return Guard.Array is { } array
                ? MemoryMarshal.Cast<byte, T>(array.AsSpan(Guard.ArrayOffset + (int)offset, Length * sizeof(T)))
                : new Span<T>((byte*)Guard.AddressOf(block) + offset, Length);
        }

        // It only looks at memory that the buffer holds.
        protected override void Dispose(bool disposing) => Volatile.Write(ref _disposed, 1);
    }
}
