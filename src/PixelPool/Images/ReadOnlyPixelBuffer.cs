using System.Buffers;

namespace PixelPool;

/// <summary>
/// An image that can be read but not written: for methods that promise not to write, and for memory that must not be written, such as a file that is mapped read-only.
/// Any <see cref="PixelBuffer{TPixel}"/> converts to it. No object is allocated.
/// </summary>
/// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
/// <remarks>
/// <para>
/// It wraps the buffer that it was converted from. Disposing either of the two disposes both. Code that has the buffer can still write to it.
/// <see cref="View"/> and <see cref="Cast"/> give a new one that shares the memory and is disposed by itself.
/// </para>
/// <para>
/// Thread-safety: as <see cref="PixelBuffer{TPixel}"/>. On the default value, every member except <see cref="Dispose"/>, <see cref="IsDisposed"/> and <see cref="ToString"/>
/// throws <see cref="ObjectDisposedException"/>. After the buffer was disposed, every member except these and the plain properties throws it.
/// </para>
/// </remarks>
public readonly partial struct ReadOnlyPixelBuffer<TPixel> : IDisposable
    where TPixel : unmanaged
{
    // Null in the default value.
    private readonly PixelBuffer<TPixel>? _pixels;

    internal ReadOnlyPixelBuffer(PixelBuffer<TPixel> pixels) => _pixels = pixels;

    /// <summary>Width in pixels.</summary>
    public int Width => Pixels.Width;

    /// <summary>Height in rows.</summary>
    public int Height => Pixels.Height;

    /// <summary>Bytes from the start of a row to the start of the next one in the same block.</summary>
    public int Stride => Pixels.Stride;

    /// <summary>Whether all rows lie in one piece of memory. Then <see cref="Pin"/> gives a pointer to all of them.</summary>
    public bool IsContiguous => Pixels.IsContiguous;

    /// <summary>Whether the buffer was disposed. Of the default value: true.</summary>
    public bool IsDisposed => _pixels is null || _pixels.IsDisposed;

    /// <summary>One pixel. For many of them, <see cref="ProcessPixelRows(ReadOnlyPixelAccessorAction{TPixel})"/> is faster.</summary>
    /// <param name="x">The column: 0 to <see cref="Width"/> − 1.</param>
    /// <param name="y">The row: 0 to <see cref="Height"/> − 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such pixel.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public TPixel this[int x, int y] => Pixels[x, y];

    internal PixelBuffer<TPixel> Pixels
    {
        get
        {
            if (_pixels is null)
            {
                Throw.Returned(typeof(ReadOnlyPixelBuffer<TPixel>), wasRented: false);
            }

            return _pixels;
        }
    }

    /// <summary>Converts a buffer to a read-only buffer. Null becomes the default value.</summary>
    /// <param name="pixels">The buffer. Disposing it also ends the result.</param>
    public static implicit operator ReadOnlyPixelBuffer<TPixel>(PixelBuffer<TPixel> pixels) => new(pixels);

    /// <summary>A rectangle of the image. It shares the memory and keeps it alive until it is disposed, even if the image is disposed before.</summary>
    /// <param name="x">The first column.</param>
    /// <param name="y">The first row.</param>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <returns>The rectangle. The caller disposes it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The rectangle is empty or not inside the image.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public ReadOnlyPixelBuffer<TPixel> View(int x, int y, int width, int height) => Pixels.View(x, y, width, height);

    /// <summary>
    /// The same memory as pixels of another type, as <see cref="PixelBuffer{TPixel}.Cast"/> gives it. It shares the memory and keeps it alive until it is disposed, even if the image is disposed
    /// before. Nothing is copied or converted.
    /// </summary>
    /// <typeparam name="TTo">The new pixel type: any unmanaged type. With <c>byte</c>, a row consists of its bytes.</typeparam>
    /// <returns>An image with the same number of rows and the same bytes in each row. The caller disposes it.</returns>
    /// <exception cref="InvalidMemoryOperationException">The number of bytes in a row is not a multiple of the size of <typeparamref name="TTo"/>.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public ReadOnlyPixelBuffer<TTo> Cast<TTo>()
        where TTo : unmanaged => Pixels.Cast<TTo>();

    /// <summary>A pointer to the pixels, for native libraries that only read. Nothing prevents code from writing through it. Writing to read-only memory ends the process.</summary>
    /// <returns>The pin. The caller disposes it.</returns>
    /// <exception cref="InvalidMemoryOperationException">The image lies in several pieces of memory.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public PinnedPixels Pin() => Pixels.Pin();

    /// <summary>Copies the pixels to a span, row by row without gaps.</summary>
    /// <param name="destination">At least width × height pixels.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<TPixel> destination) => Pixels.CopyTo(destination);

    /// <summary>Copies the pixels to a span of pixels with a stride.</summary>
    /// <param name="destination">Receives row y at pixel y × <paramref name="stride"/>. Pixels between rows are not touched.</param>
    /// <param name="stride">Pixels from one row to the next in the span: at least those of a row. For a span of bytes, the stride is in bytes.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<TPixel> destination, int stride) => Pixels.CopyTo(destination, stride);

    /// <summary>Copies the pixels to bytes with a stride, as other libraries lay images out.</summary>
    /// <param name="destination">Receives row y at byte y × <paramref name="stride"/>; bytes between rows are not touched.</param>
    /// <param name="stride">Bytes from one row to the next in the span: at least those of a row.</param>
    /// <exception cref="ArgumentException">The span is too short. Nothing was copied.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The stride is shorter than a row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void CopyTo(Span<byte> destination, int stride) => Pixels.CopyTo(destination, stride);

    /// <summary>Copies all pixels to an image of the same size.</summary>
    /// <param name="destination">Receives the pixels.</param>
    /// <exception cref="ArgumentException">The sizes differ.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed.</exception>
    public void CopyTo(PixelBuffer<TPixel> destination) => Pixels.CopyTo(destination);

    /// <summary>A new image with the same pixels, rented from the same allocator. It can be written.</summary>
    /// <returns>The image. The caller disposes it. It belongs to no scope, and the allocator's own budget pays for it.</returns>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>.</exception>
    /// <exception cref="ObjectDisposedException">The buffer, or the allocator, was disposed.</exception>
    public PixelBuffer<TPixel> Clone() => Pixels.Clone();

    /// <summary>Writes the bytes of all pixels to a stream, row by row without gaps.</summary>
    /// <param name="destination">Receives width × height pixels.</param>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void WriteTo(Stream destination) => Pixels.WriteTo(destination);

    /// <summary>
    /// Writes the bytes of all pixels to a stream, row by row without gaps. The memory stays valid until the task ends, even if the buffer is disposed meanwhile.
    /// </summary>
    /// <param name="destination">Receives width × height pixels.</param>
    /// <param name="cancellationToken">Cancels the writing.</param>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public ValueTask WriteToAsync(Stream destination, CancellationToken cancellationToken = default) => Pixels.WriteToAsync(destination, cancellationToken);

    /// <summary>The bytes of all pixels as a stream that reads them in place, row by row without gaps. Nothing is copied. They must not be read to bytes of the image itself.</summary>
    /// <returns>
    /// A seekable stream at position 0 that throws <see cref="NotSupportedException"/> when it is written, or its length is set. It holds the memory until it is
    /// disposed, even if the buffer is disposed before. Asynchronous calls complete synchronously. Not thread-safe, as streams are.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public Stream AsStream() => new PixelStream(Pixels.AsLease().Cast<byte>(), canWrite: false);

    /// <summary>The bytes of all pixels as a sequence, as <see cref="PixelBuffer{TPixel}.AsReadOnlySequence"/> gives it. Nothing is copied.</summary>
    /// <returns>
    /// The sequence. It does not hold the memory: after the buffer was disposed its segments throw <see cref="ObjectDisposedException"/>.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public ReadOnlySequence<byte> AsReadOnlySequence() => Pixels.AsReadOnlySequence();

    /// <summary>Ends the buffer, as <see cref="PixelBuffer{TPixel}.Dispose"/> does, and throws what that throws. Thread-safe. Only the first call does anything.</summary>
    public void Dispose() => _pixels?.Dispose();

    /// <summary>Size, bytes of the pixels, pieces of memory they lie in, and state, for debuggers.</summary>
    public override string ToString() => _pixels is null ? $"0 x 0 {TypeName.Of(typeof(TPixel))}, never rented" : $"{_pixels}, read-only";
}
