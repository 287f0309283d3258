using System.Buffers;
using PixelPool.Lifetime;

namespace PixelPool;

// Reading.
public sealed partial class PixelPoolStream
{
    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override int Read(byte[] buffer, int offset, int count) => ReadTo(StreamArguments.Range(buffer, offset, count));

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override int ReadByte()
    {
        Span<byte> one = stackalloc byte[1];
        return ReadTo(one) == 0 ? -1 : one[0];
    }

    /// <inheritdoc/>
    /// <remarks>It is complete when the call returns.</remarks>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ArraySegment<byte> range = StreamArguments.Range(buffer, offset, count);
        return cancellationToken.IsCancellationRequested ? Task.FromCanceled<int>(cancellationToken) : ReadToAsync(range).AsTask();
    }

#if NET
    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override int Read(Span<byte> buffer) => ReadTo(buffer);

    /// <inheritdoc/>
    /// <remarks>It is complete when the call returns.</remarks>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<int>(cancellationToken) : ReadToAsync(buffer);

    /// <summary>Writes all bytes from <see cref="Position"/> on to another stream, without a copy between them. The position is at the end then.</summary>
    /// <param name="destination">Receives the bytes.</param>
    /// <param name="bufferSize">At least 1. Not used: no buffer is needed.</param>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bufferSize"/> is 0 or negative.</exception>
    /// <exception cref="NotSupportedException">The destination cannot be written to.</exception>
    /// <exception cref="ObjectDisposedException">The stream, or the destination, was disposed.</exception>
    public override void CopyTo(Stream destination, int bufferSize)
    {
        ValidateCopyToArguments(destination, bufferSize);
        ThrowIfDisposed();
        foreach (PixelBuffer<byte> part in TakeRest())
        {
            destination.Write(part.DangerousGetRowSpan(0));
        }
    }

    /// <summary>Writes all bytes from <see cref="Position"/> on to another stream, without a copy between them. The position is at the end then.</summary>
    /// <param name="destination">Receives the bytes.</param>
    /// <param name="bufferSize">At least 1. Not used: no buffer is needed.</param>
    /// <param name="cancellationToken">Cancels it.</param>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bufferSize"/> is 0 or negative.</exception>
    /// <exception cref="NotSupportedException">The destination cannot be written to.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. The task throws it.</exception>
    /// <exception cref="ObjectDisposedException">The stream, or the destination, was disposed.</exception>
    public override Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
    {
        ValidateCopyToArguments(destination, bufferSize);
        ThrowIfDisposed();
        return cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : CopyPiecesAsync(destination, cancellationToken);
    }
#endif

    /// <summary>All bytes, from the first one, as a sequence. Nothing is copied.</summary>
    /// <returns>
    /// A sequence that is valid until the stream is changed or disposed. Segments whose memory the stream no longer has then throw
    /// <see cref="ObjectDisposedException"/>. No array lies behind them: <c>MemoryMarshal.TryGetArray</c> returns false.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public ReadOnlySequence<byte> AsReadOnlySequence() => PixelSegment.Chain(Live.Runs());

    /// <summary>A copy of all bytes, from the first one.</summary>
    /// <returns>A new array.</returns>
    /// <exception cref="InvalidMemoryOperationException">The stream is longer than an array can be.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public byte[] ToArray()
    {
        ThrowIfDisposed();
        if (_length > MostArrayBytes)
        {
            Throw.InvalidMemoryOperation($"A stream of {ByteSize.Format(_length)} is longer than an array can be.");
        }

        byte[] copy = new byte[_length];
        ReadAt(0, copy);
        return copy;
    }

    // Array.MaxLength, which netstandard2.0 does not know.
    private const long MostArrayBytes = 0x7FFFFFC7;

    private IEnumerable<Memory<byte>> Runs()
    {
        for (long position = 0; position < _length;)
        {
            Memory<byte> memory = MemoryAt(position);
            yield return memory.Slice(0, (int)Math.Min(memory.Length, _length - position));
            position += memory.Length;
        }
    }

    private int ReadTo(Span<byte> buffer)
    {
        ThrowIfDisposed();
        int read = ReadAt(_position, buffer);
        _position += read;
        _lentBytes = 0;
        return read;
    }

#pragma warning disable CS1998 // Nothing is awaited: what is thrown is the task's.
    private async ValueTask<int> ReadToAsync(Memory<byte> buffer) => ReadTo(buffer.Span);
#pragma warning restore CS1998

#if NET
    private async Task CopyPiecesAsync(Stream destination, CancellationToken cancellationToken)
    {
        foreach (PixelBuffer<byte> part in TakeRest())
        {
            await destination.WriteAsync(part.DangerousGetRowMemory(0), cancellationToken).ConfigureAwait(false);
        }
    }

    // What lies between the position and the end. Each part holds its memory until the next one is taken.
    private IEnumerable<PixelBuffer<byte>> TakeRest()
    {
        // Before anything is written: then the destination may fail, or be this stream.
        _lentBytes = 0;
        (long position, long end) = (_position, _length);
        _position = Math.Max(position, end);
        while (position < end)
        {
            StreamPiece piece = PieceAt(position, out int offset);
            using PixelBuffer<byte> part = piece.View(offset, (int)Math.Min(end - position, piece.Bytes - offset));
            yield return part;
            position += part.Width;
        }
    }
#endif

    private int ReadAt(long position, Span<byte> buffer)
    {
        int read = 0;
        while (read < buffer.Length && position + read < _length)
        {
            using PixelReference held = HoldPart(position + read, Math.Min(buffer.Length - read, _length - position - read), out Span<byte> part);
            part.CopyTo(buffer.Slice(read));
            read += part.Length;
        }

        return read;
    }
}
