using System.Buffers;

namespace PixelPool;

/// <content>Writing, also as <see cref="IBufferWriter{T}"/>.</content>
public sealed partial class PixelPoolStream
{
    // What was handed out last and may be advanced over: in the stream, or in memory of its own where the stream's next piece begins in the middle.
    private int _grantedBytes;
    private IMemoryOwner<byte>? _granted;

    /// <inheritdoc/>
    /// <exception cref="PixelBudgetExceededException">
    /// The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed. Nothing was written.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override void Write(byte[] buffer, int offset, int count)
    {
        CheckRange(buffer, offset, count);
        WriteFrom(buffer.AsSpan(offset, count));
    }

    /// <inheritdoc/>
    /// <exception cref="PixelBudgetExceededException">
    /// The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed. Nothing was written.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override void WriteByte(byte value) => WriteFrom([value]);

    /// <summary>Writes bytes. If the stream has to grow and the budget has no room, it waits for room without blocking a thread.</summary>
    /// <param name="buffer">Has the bytes.</param>
    /// <param name="offset">The first byte.</param>
    /// <param name="count">How many.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <exception cref="PixelBudgetExceededException">The stream would be larger than the whole budget.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed, before or while it waited.</exception>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        CheckRange(buffer, offset, count);
        return WriteFromAsync(buffer.AsMemory(offset, count), cancellationToken);
    }

#if NET
    /// <inheritdoc/>
    /// <exception cref="PixelBudgetExceededException">
    /// The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed. Nothing was written.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override void Write(ReadOnlySpan<byte> buffer) => WriteFrom(buffer);

    /// <summary>Writes bytes. If the stream has to grow and the budget has no room, it waits for room without blocking a thread.</summary>
    /// <param name="buffer">Has the bytes.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <exception cref="PixelBudgetExceededException">The stream would be larger than the whole budget.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed, before or while it waited.</exception>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        if (!cancellationToken.IsCancellationRequested && EndOf(buffer.Length) <= RentedBytes)
        {
            WriteFrom(buffer.Span);
            return default;
        }

        return new ValueTask(WriteFromAsync(buffer, cancellationToken));
    }
#endif

    /// <summary>Returns memory at <see cref="Position"/> to write to. <see cref="Advance"/> makes the written bytes part of the stream.</summary>
    /// <param name="sizeHint">The fewest bytes that it must have. Default: 0, which means any number above 0.</param>
    /// <returns>Memory that is valid until the stream is used otherwise, or disposed. Its content is undefined.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        ThrowIfDisposed();
        if (sizeHint < 0)
        {
            Throw.Negative(nameof(sizeHint), sizeHint);
        }

        EndGrant();
        int bytes = Math.Max(1, sizeHint);
        EnsureCapacity(EndOf(bytes));
        Memory<byte> memory = MemoryAt(_position);
        if (memory.Length < bytes)
        {
            _granted = _scope is null ? _allocator.Allocate<byte>(bytes) : _scope.Allocate<byte>(bytes);
            memory = _granted.Memory;
        }

        _grantedBytes = memory.Length;
        return memory;
    }

    /// <summary>Returns what <see cref="GetMemory"/> returns, as a span.</summary>
    /// <param name="sizeHint">The fewest bytes that it must have. Default: 0, which means any number above 0.</param>
    /// <returns>A span that nothing protects. It is valid until the stream is used otherwise, or disposed. Its content is undefined.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Makes bytes part of the stream that were written to the memory that <see cref="GetMemory"/> or <see cref="GetSpan"/> returned last.</summary>
    /// <param name="count">How many.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    /// <exception cref="InvalidOperationException"><paramref name="count"/> is more than the memory had, or the stream was used otherwise since.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public void Advance(int count)
    {
        ThrowIfDisposed();
        if (count < 0)
        {
            Throw.Negative(nameof(count), count);
        }

        if (count > _grantedBytes)
        {
            throw new InvalidOperationException(
                $"The stream cannot advance by {Plural.Of(count, "byte")}: the last memory it gave has {_grantedBytes}. Call GetMemory or GetSpan before each Advance.");
        }

        if (_granted is { } own)
        {
            _granted = null;
            using (own)
            {
                WriteFrom(own.Memory.Span.Slice(0, count));
            }
        }
        else
        {
            Extend(count);
        }

        EndGrant();
    }

    private async Task WriteFromAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        await EnsureCapacityAsync(EndOf(buffer.Length), cancellationToken).ConfigureAwait(false);
        WriteFrom(buffer.Span);
    }

    private void WriteFrom(ReadOnlySpan<byte> bytes)
    {
        ThrowIfDisposed();
        EndGrant();
        EnsureCapacity(EndOf(bytes.Length));
        int written = 0;
        while (written < bytes.Length)
        {
            PixelLease<byte> piece = PieceAt(_position + written, bytes.Length - written, out int offset, out int count);
            piece.View(offset, 0, count, 1).CopyFrom(bytes.Slice(written, count));
            written += count;
        }

        Extend(written);
    }

    // Bytes were written at the position.
    private void Extend(int count)
    {
        if (count > 0 && _position > _length)
        {
            ClearUpTo(_position);
        }

        _position += count;
        _length = count > 0 ? Math.Max(_length, _position) : _length;
    }

    // Where a write at the position ends.
    private long EndOf(int count)
    {
        if (_position > long.MaxValue - count)
        {
            Throw.InvalidMemoryOperation("The stream would have more than 2⁶³ bytes.");
        }

        return count == 0 ? 0 : _position + count;
    }

    private void EndGrant()
    {
        _grantedBytes = 0;
        _granted?.Dispose();
        _granted = null;
    }
}
