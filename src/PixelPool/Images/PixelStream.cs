namespace PixelPool;

/// <summary>The bytes of an image, one row after the other, as a stream that behaves as a <see cref="MemoryStream"/> over an array does.</summary>
/// <param name="rows">The rows of bytes.</param>
/// <param name="canWrite">Whether it can be written.</param>
internal sealed class PixelStream(PixelLease<byte> rows, bool canWrite) : Stream
{
    // Holds the memory. Made when the stream itself is there: one that could not be made holds nothing.
    private readonly PixelBuffer<byte> _rows = rows.AsBuffer();
    private long _position;

    public override bool CanRead => !_rows.IsDisposed;

    public override bool CanSeek => !_rows.IsDisposed;

    public override bool CanWrite => canWrite && !_rows.IsDisposed;

    public override long Length
    {
        get
        {
            if (_rows.IsDisposed)
            {
                Throw.Disposed(nameof(Stream), "The stream over the pixels was disposed.");
            }

            return (long)_rows.Width * _rows.Height;
        }
    }

    public override long Position
    {
        get
        {
            // Disposed, it has none.
            _ = Length;
            return _position;
        }

        set
        {
            Throw.IfNegative(value, nameof(value));
            Seek(value, SeekOrigin.Begin);
        }
    }

    public override long Seek(long offset, SeekOrigin origin) => _position = StreamArguments.FindPosition(offset, origin, _position, Length);

    public override void SetLength(long value)
    {
        Throw.IfNegative(value, nameof(value));
        ThrowIfReadOnly();
        if (value != Length)
        {
            ThrowFull();
        }

        _position = Math.Min(_position, value);
    }

    public override int Read(byte[] buffer, int offset, int count) => ReadTo(StreamArguments.Range(buffer, offset, count));

    public override int ReadByte()
    {
        Span<byte> one = stackalloc byte[1];
        return ReadTo(one) == 0 ? -1 : one[0];
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ArraySegment<byte> range = StreamArguments.Range(buffer, offset, count);
        return cancellationToken.IsCancellationRequested ? Task.FromCanceled<int>(cancellationToken) : ReadToAsync(range).AsTask();
    }

    public override void Write(byte[] buffer, int offset, int count) => WriteFrom(StreamArguments.Range(buffer, offset, count));

    public override void WriteByte(byte value) => WriteFrom(stackalloc byte[] { value });

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ArraySegment<byte> range = StreamArguments.Range(buffer, offset, count);
        return cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : WriteFromAsync(range).AsTask();
    }

#if NET
    public override int Read(Span<byte> buffer) => ReadTo(buffer);

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled<int>(cancellationToken) : ReadToAsync(buffer);

    public override void Write(ReadOnlySpan<byte> buffer) => WriteFrom(buffer);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled(cancellationToken) : WriteFromAsync(buffer);

    // Not as the base class, whose array shows the pixels to whoever gets it next.
    public override void CopyTo(Stream destination, int bufferSize)
    {
        ValidateCopyToArguments(destination, bufferSize);
        using var copy = new StreamCopy(bufferSize);
        for (int read; (read = Read(copy.Bytes, 0, copy.Length)) != 0;)
        {
            destination.Write(copy.Bytes, 0, read);
        }
    }

    public override async Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
    {
        ValidateCopyToArguments(destination, bufferSize);
        using var copy = new StreamCopy(bufferSize);
        for (int read; (read = await ReadAsync(copy.Bytes.AsMemory(0, copy.Length), cancellationToken).ConfigureAwait(false)) != 0;)
        {
            await destination.WriteAsync(copy.Bytes.AsMemory(0, read), cancellationToken).ConfigureAwait(false);
        }
    }
#endif

    public override void Flush()
    {
    }

    public override Task FlushAsync(CancellationToken cancellationToken) =>
        cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : Task.CompletedTask;

    protected override void Dispose(bool disposing)
    {
        _rows.Dispose();
        base.Dispose(disposing);
    }

#pragma warning disable CS1998 // Nothing is awaited: what is thrown is the task's.
    private async ValueTask<int> ReadToAsync(Memory<byte> buffer) => ReadTo(buffer.Span);

    private async ValueTask WriteFromAsync(ReadOnlyMemory<byte> buffer) => WriteFrom(buffer.Span);
#pragma warning restore CS1998

    private int ReadTo(Span<byte> buffer)
    {
        long length = Length;
        using PixelReference pixels = _rows.Hold();
        PixelAccessor<byte> accessor = pixels.Access<byte>();
        int read = 0;
        while (read < buffer.Length && _position < length)
        {
            Span<byte> part = Part(accessor, buffer.Length - read);
            part.CopyTo(buffer.Slice(read));
            read += part.Length;
            _position += part.Length;
        }

        return read;
    }

    private void WriteFrom(ReadOnlySpan<byte> buffer)
    {
        ThrowIfReadOnly();
        if (buffer.Length > Length - _position)
        {
            ThrowFull();
        }

        using PixelReference pixels = _rows.Hold();
        PixelAccessor<byte> accessor = pixels.Access<byte>();
        while (!buffer.IsEmpty)
        {
            Span<byte> part = Part(accessor, buffer.Length);
            buffer.Slice(0, part.Length).CopyTo(part);
            buffer = buffer.Slice(part.Length);
            _position += part.Length;
        }
    }

    // From the position to the end of what lies there without a gap, but no more than that.
    private Span<byte> Part(PixelAccessor<byte> accessor, int mostBytes)
    {
        int y = (int)(_position / _rows.Width);
        int x = (int)(_position - ((long)y * _rows.Width));
        Span<byte> run = accessor.GetRunSpan(y, out _).Slice(x);
        return run.Slice(0, Math.Min(mostBytes, run.Length));
    }

    private void ThrowFull() => throw new NotSupportedException($"The image has {Plural.Of(Length, "byte")}: a stream over it always has as many.");

    private void ThrowIfReadOnly()
    {
        if (!canWrite)
        {
            throw new NotSupportedException("The image is read-only, and so is the stream over it.");
        }
    }
}
