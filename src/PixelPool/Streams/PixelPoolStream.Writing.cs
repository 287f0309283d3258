namespace PixelPool;

// Writing.
public sealed partial class PixelPoolStream
{
    /// <inheritdoc/>
    /// <exception cref="PixelBudgetExceededException">
    /// The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed. Nothing was written.
    /// </exception>
    /// <exception cref="InvalidMemoryOperationException">The stream would have more bytes than a process can address.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>. The stream did not change.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override void Write(byte[] buffer, int offset, int count) => WriteFrom(StreamArguments.Range(buffer, offset, count));

    /// <inheritdoc/>
    /// <exception cref="PixelBudgetExceededException">
    /// The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed. Nothing was written.
    /// </exception>
    /// <exception cref="InvalidMemoryOperationException">The stream would have more bytes than a process can address.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>. The stream did not change.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override void WriteByte(byte value) => WriteFrom(stackalloc byte[] { value }); // no array, on any target

    /// <summary>Writes bytes. If the stream has to grow and the budget has no room, it waits for room without blocking a thread.</summary>
    /// <param name="buffer">Has the bytes.</param>
    /// <param name="offset">The first byte.</param>
    /// <param name="count">How many.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <exception cref="PixelBudgetExceededException">The stream would be larger than the whole budget, or <see cref="PixelAllocatorOptions.AsyncRentTimeout"/> has passed. Nothing was written.</exception>
    /// <exception cref="InvalidMemoryOperationException">The stream would have more bytes than a process can address.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>. The stream did not change.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed, before or while it waited.</exception>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ArraySegment<byte> range = StreamArguments.Range(buffer, offset, count);
        return cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : WriteFromAsync(range, cancellationToken).AsTask();
    }

#if NET
    /// <inheritdoc/>
    /// <exception cref="PixelBudgetExceededException">
    /// The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed. Nothing was written.
    /// </exception>
    /// <exception cref="InvalidMemoryOperationException">The stream would have more bytes than a process can address.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>. The stream did not change.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override void Write(ReadOnlySpan<byte> buffer) => WriteFrom(buffer);

    /// <summary>Writes bytes. If the stream has to grow and the budget has no room, it waits for room without blocking a thread.</summary>
    /// <param name="buffer">Has the bytes.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <exception cref="PixelBudgetExceededException">The stream would be larger than the whole budget, or <see cref="PixelAllocatorOptions.AsyncRentTimeout"/> has passed. Nothing was written.</exception>
    /// <exception cref="InvalidMemoryOperationException">The stream would have more bytes than a process can address.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>. The stream did not change.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed, before or while it waited.</exception>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled(cancellationToken) : WriteFromAsync(buffer, cancellationToken);
#endif

    private async ValueTask WriteFromAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken)
    {
        using (await EnsureCapacityAsync(BeginWrite(buffer.Length), cancellationToken).ConfigureAwait(false))
        {
            WriteFrom(buffer.Span);
        }
    }

    private void WriteFrom(ReadOnlySpan<byte> bytes)
    {
        // They may lie in the small piece that is replaced: it ends afterwards.
        using (EnsureCapacity(BeginWrite(bytes.Length)))
        {
            WriteAt(_position, bytes);
        }

        Extend(bytes.Length);
    }

    private void WriteAt(long position, ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            using PixelReference held = HoldPart(position, bytes.Length, out Span<byte> part);
            if (bytes.Slice(part.Length).Overlaps(part))
            {
                // What the stream has itself is written further behind in it, and would be overwritten before it is read.
                byte[] apart = bytes.ToArray();
                WriteAt(position, apart);
                Array.Clear(apart, 0, apart.Length);
                return;
            }

            bytes.Slice(0, part.Length).CopyTo(part);
            bytes = bytes.Slice(part.Length);
            position += part.Length;
        }
    }

    // Bytes were written at the position.
    private void Extend(int count)
    {
        if (count > 0)
        {
            ClearUpTo(_position);
            _position += count;
            _length = Math.Max(_length, _position);
        }
    }

    // A write at the position ends what was lent. Where it will end; 2⁶³ - 1 for all that is more, which no process can address either.
    private long BeginWrite(int count)
    {
        ThrowIfDisposed();
        _lentBytes = 0;
        return count == 0 ? 0 : _position + Math.Min(count, long.MaxValue - _position);
    }
}
