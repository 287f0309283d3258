using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

// Raw pixel bytes in and out of streams and sequences.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>Reads the bytes of all pixels from a stream, row by row without gaps.</summary>
    /// <remarks>Where rows have gaps between them (<see cref="PixelAllocatorOptions.RowAlignmentBytes"/>, views), each row is one call of the stream. Use a <see cref="BufferedStream"/> then.</remarks>
    /// <param name="source">Read for exactly width × height pixels.</param>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="EndOfStreamException">
    /// The stream ended before all pixels were read. The message has the bytes that came, and how many were expected. The pixels read so far are in the image.
    /// </exception>
    /// <exception cref="IOException">The stream claims to have read more bytes than it was asked for.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void ReadFrom(Stream source)
    {
        Throw.IfNull(source, nameof(source));
        using PixelReference pixels = Hold();
        PixelAccessor<TPixel> accessor = pixels.Access<TPixel>();
        long readBytes = 0;
        for (int y = 0, rows; y < Height; y += rows)
        {
            Span<byte> run = MemoryMarshal.AsBytes(accessor.GetRunSpan(y, out rows));
            while (!run.IsEmpty)
            {
                int count = source.Read(run);
                Throw.IfNotRead(count, run.Length, readBytes, (long)Height * Width * Unsafe.SizeOf<TPixel>());
                readBytes += count;
                run = run.Slice(count);
            }
        }
    }

    /// <summary>Writes the bytes of all pixels to a stream, row by row without gaps.</summary>
    /// <remarks>Where rows have gaps between them (<see cref="PixelAllocatorOptions.RowAlignmentBytes"/>, views), each row is one call of the stream. Use a <see cref="BufferedStream"/> then.</remarks>
    /// <param name="destination">Receives width × height pixels.</param>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public void WriteTo(Stream destination)
    {
        Throw.IfNull(destination, nameof(destination));
        using PixelReference pixels = Hold();
        PixelAccessor<TPixel> accessor = pixels.Access<TPixel>();
        for (int y = 0, rows; y < Height; y += rows)
        {
            destination.Write(MemoryMarshal.AsBytes(accessor.GetRunSpan(y, out rows)));
        }
    }

    /// <summary>
    /// The bytes of all pixels as a stream, row by row without gaps, that reads and writes them in place. For code that takes a <see cref="Stream"/>. Nothing is copied. Bytes of the image
    /// itself must not be read to or written.
    /// </summary>
    /// <remarks>
    /// Every call looks whether the memory is still there: read and write many bytes at once, or use a <see cref="BufferedStream"/>. <c>CopyTo</c> and <c>CopyToAsync</c> copy through an array. It is cleared before others
    /// get it, but in the build for netstandard2.0, where that is the base class's.
    /// </remarks>
    /// <returns>
    /// A seekable stream at position 0. Its length does not change: a write past the end, or <c>SetLength</c> with another length, throws <see cref="NotSupportedException"/>. It holds the
    /// memory until it is disposed, even if the buffer is disposed before. Asynchronous calls complete synchronously. Not thread-safe, as streams are.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public Stream AsStream() => new PixelStream(AsLease().Cast<byte>(), canWrite: true);

    /// <summary>
    /// The bytes of all pixels as a sequence, row by row: one segment per block (of at most 64 MiB), or per row where there are gaps between rows. Nothing is copied.
    /// </summary>
    /// <returns>
    /// The sequence. As long as it is referenced, the memory is not collected as leaked, but it does not hold the memory: after the buffer was disposed its
    /// segments throw <see cref="ObjectDisposedException"/>. The caller must not let the buffer be disposed while it uses a span of the sequence.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public ReadOnlySequence<byte> AsReadOnlySequence() => PixelSegment.Chain(Runs());

    /// <summary>
    /// All pixels as one <see cref="Memory{T}"/>, where they are one contiguous run without gaps. The memory is checked whenever a span is taken from it, and
    /// throws <see cref="ObjectDisposedException"/> after the buffer was disposed. A span that was taken before is not protected.
    /// </summary>
    /// <param name="memory">Width × height pixels.</param>
    /// <returns>False when they are not one run.</returns>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public unsafe bool DangerousTryGetSinglePixelMemory(out Memory<TPixel> memory)
    {
        using PixelReference pixels = Hold();
        bool isSingleRun = _layout.IsSingleRun(sizeof(TPixel));
        memory = isSingleRun ? CreateMemory<TPixel>(0, Width * Height) : default;
        return isSingleRun;
    }

    /// <summary>
    /// A row as a span. Nothing protects the span: it is invalid as soon as the buffer is disposed, or forgotten and finalized. For code that cannot use
    /// delegates and keeps the buffer alive itself.
    /// </summary>
    /// <param name="y">The row: 0 to <see cref="Height"/> − 1.</param>
    /// <returns>The pixels, for as long as the buffer is not disposed.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public Span<TPixel> DangerousGetRowSpan(int y) => new PixelAccessor<TPixel>(GuardOrThrow(), in _layout, firstRow: 0).GetRowSpan(y);

    /// <summary>
    /// A row as <see cref="Memory{T}"/>, for code that stores it or awaits with it. The memory is checked whenever a span is taken from it, and throws
    /// <see cref="ObjectDisposedException"/> after the buffer was disposed. A span that was taken before is not protected. Allocates one object.
    /// </summary>
    /// <param name="y">The row: 0 to <see cref="Height"/> − 1.</param>
    /// <returns>The pixels, for as long as the buffer is not disposed.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such row.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public Memory<TPixel> DangerousGetRowMemory(int y)
    {
        if ((uint)y >= (uint)Height)
        {
            Throw.RowOutOfRange(y, Height);
        }

        return CreateMemory<TPixel>(y, Width);
    }

    /// <summary>Bytes of a row without gaps, and of those behind it if all are in one piece: as far as memory reaches.</summary>
    /// <param name="y">The row.</param>
    /// <param name="throwEnded">See <see cref="BorrowedMemory{T}"/>.</param>
    internal Memory<byte> LendFrom(int y, Action throwEnded)
    {
        long bytes = (long)Width * Unsafe.SizeOf<TPixel>() * (_layout.PieceCount == 1 ? Height - y : 1);
        return CreateMemory<byte>(y, (int)Math.Min(int.MaxValue, bytes), throwEnded);
    }

    // All pixels in their order.
    private IEnumerable<Memory<byte>> Runs()
    {
        for (int y = 0, rows; y < Height; y += rows)
        {
            int rowBytes = Width * Unsafe.SizeOf<TPixel>();
            rows = Stride == rowBytes ? _layout.RowsInPiece(y, PixelAccessor<TPixel>.MaxRunBytes) : 1;
            yield return CreateMemory<byte>(y, rows * rowBytes);
        }
    }

    private Memory<T> CreateMemory<T>(int y, int length, Action? throwEnded = null)
        where T : unmanaged
    {
        int block = _layout.Locate(y, out nint offset);
        return new BorrowedMemory<T>(this, block, offset, length, throwEnded).Memory;
    }
}
