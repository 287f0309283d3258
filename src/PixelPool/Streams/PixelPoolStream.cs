using System.Buffers;
using PixelPool.Threading;

namespace PixelPool;

/// <summary>
/// A stream in pooled memory that grows as it is written to. For files in memory, such as the body of a request or the output of an encoder.
/// </summary>
/// <remarks>
/// <para>
/// Up to the size of a small image the bytes lie in one small rent. When it is full, it is replaced by one of at least twice its size. Beyond that size the
/// bytes lie in blocks of the pool, and growing copies nothing. If a call needs several blocks, they are one rent: it waits for all of them at once, and they are returned together. Every rent is charged to the allocator's budget. Disposing the stream returns all of them. A
/// forgotten stream counts as leaked.
/// </para>
/// <para>
/// Only a call that makes the stream larger can wait, for the budget: a constructor with a capacity, <see cref="GetMemory"/>, <see cref="GetSpan"/>, <see cref="SetLength"/> and writes. They wait for at most
/// <see cref="PixelAllocatorOptions.RentTimeout"/>. <see cref="WriteAsync(byte[], int, int, CancellationToken)"/> waits without blocking a thread, in the order of the requests. If the budget refuses, the
/// stream does not change.
/// </para>
/// <para>
/// Every member behaves like that of <see cref="MemoryStream"/>, with these exceptions: a write of 0 bytes changes nothing (it extends a <see cref="MemoryStream"/> whose position is
/// beyond its end), <see cref="ToArray"/> throws after the stream was disposed, <see cref="Capacity"/> cannot be set, and the stream can be longer than 2 GiB. With the library for .NET Standard,
/// <c>CopyTo</c> and <c>CopyToAsync</c> copy part by part, as <see cref="Stream"/> does: also what is written meanwhile.
/// </para>
/// <para>
/// Not thread-safe, like other streams: threads that share a stream must synchronize. Memory stays safe nevertheless. If the stream is disposed while another
/// thread reads or writes, that call throws, mostly <see cref="ObjectDisposedException"/>, or finishes in memory that is still held.
/// </para>
/// </remarks>
public sealed partial class PixelPoolStream : Stream, IBufferWriter<byte>
{
    private readonly PixelAllocator _allocator;
    private readonly RentScope? _scope;

    // Held when the pieces change.
    private readonly UninterruptibleLock _gate = new();

    // Blocks, or a single small one.
    private readonly List<StreamPiece> _pieces = new(4);
    private long _length;
    private long _position;
    private bool _disposed;

    /// <summary>Opens an empty stream.</summary>
    /// <param name="allocator">Where its memory is rented.</param>
    /// <param name="capacity">Bytes to rent now, so that the first writes do not grow it. Default: 0.</param>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is negative.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public PixelPoolStream(PixelAllocator allocator, long capacity = 0)
        : this(allocator, scope: null, capacity)
    {
    }

    /// <summary>Opens an empty stream whose memory is rented through a scope: charged to its budget, and returned with it at the latest.</summary>
    /// <param name="scope">Where its memory is rented.</param>
    /// <param name="capacity">Bytes to rent now, so that the first writes do not grow it. Default: 0.</param>
    /// <exception cref="ArgumentNullException"><paramref name="scope"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is negative.</exception>
    /// <exception cref="PixelBudgetExceededException">A budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>.</exception>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public PixelPoolStream(RentScope scope, long capacity = 0)
        : this((scope ?? throw new ArgumentNullException(nameof(scope))).Live, scope, capacity)
    {
    }

    private PixelPoolStream(PixelAllocator allocator, RentScope? scope, long capacity)
    {
        Throw.IfNull(allocator, nameof(allocator));
        Throw.IfNegative(capacity, nameof(capacity));
        allocator.ThrowIfDisposed();
        _allocator = allocator;
        _scope = scope;
        EnsureCapacity(capacity);
    }

    /// <summary>True until the stream is disposed.</summary>
    public override bool CanRead => !_disposed;

    /// <summary>True until the stream is disposed.</summary>
    public override bool CanSeek => !_disposed;

    /// <summary>True until the stream is disposed.</summary>
    public override bool CanWrite => !_disposed;

    /// <summary>Bytes that were written, or set by <see cref="SetLength"/>.</summary>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override long Length => Live._length;

    /// <summary>
    /// The position, in bytes, of the next read or write. It may be after the end: a write there fills the bytes between with zeros. A write of 0 bytes changes
    /// nothing.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override long Position
    {
        get => Live._position;

        set
        {
            Throw.IfNegative(value, nameof(value));
            Seek(value, SeekOrigin.Begin);
        }
    }

    /// <summary>Bytes that the stream can hold without another rent.</summary>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public long Capacity => Live.RentedBytes;

    /// <summary>Sets <see cref="Position"/>.</summary>
    /// <param name="offset">Bytes from <paramref name="origin"/>; may be negative.</param>
    /// <param name="origin">The position that <paramref name="offset"/> counts from.</param>
    /// <returns>The new position.</returns>
    /// <exception cref="IOException">The position would be negative.</exception>
    /// <exception cref="ArgumentException"><paramref name="origin"/> is unknown.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override long Seek(long offset, SeekOrigin origin)
    {
        _position = StreamArguments.FindPosition(offset, origin, Live._position, _length);
        _lentBytes = 0;
        return _position;
    }

    /// <summary>
    /// Sets the length. New bytes are zero. Blocks after the new end go back to the pool; those that were rented together, because one call needed them, go back together. A position after the new
    /// end moves to it.
    /// </summary>
    /// <param name="value">Bytes; 0 or more.</param>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed. The stream did not change.</exception>
    /// <exception cref="InvalidMemoryOperationException">The value is more than a process can address, such as <see cref="long.MaxValue"/>.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>. The stream did not change.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override void SetLength(long value)
    {
        Throw.IfNegative(value, nameof(value));
        ThrowIfDisposed();
        _lentBytes = 0;
        EnsureCapacity(value)?.Dispose();
        ClearUpTo(value);
        _length = value;
        _position = Math.Min(_position, value);
        ReleaseBehind(value);
    }

    /// <summary>Does nothing: the bytes are only in memory.</summary>
    public override void Flush()
    {
    }

    /// <summary>Does nothing: the bytes are only in memory. It is complete when the call returns.</summary>
    /// <param name="cancellationToken">If it is cancelled already, so is the task.</param>
    public override Task FlushAsync(CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : Task.CompletedTask;

    /// <summary>Size and state, for debuggers.</summary>
    public override string ToString() =>
        $"{ByteSize.Format(_length)} in {Plural.Of(_pieces.Count, "piece")}, position {_position}{(_disposed ? ", disposed" : string.Empty)}";

    /// <summary>Returns the memory. Calling it again does nothing. It can throw as <see cref="PixelBuffer{TPixel}.Dispose"/> can.</summary>
    /// <param name="disposing">Whether it is called by <see cref="Stream.Dispose()"/>.</param>
    protected override void Dispose(bool disposing)
    {
        // Under the lock: what another thread rents for the stream at this moment is given back by it, or below.
        using (_gate.Hold())
        {
            _disposed = true;
        }

        Release(0);
        base.Dispose(disposing);
    }

    // The stream, unless it was disposed.
    private PixelPoolStream Live
    {
        get
        {
            ThrowIfDisposed();
            return this;
        }
    }

    private void ThrowIfDisposed() => Throw.IfDisposed(_disposed, nameof(PixelPoolStream));
}
