namespace PixelPool;

/// <summary>A piece of the memory of a stream: a row of one of its rents. All rows of a rent go together.</summary>
/// <param name="rent">The rent.</param>
/// <param name="row">Which of its rows.</param>
internal sealed class StreamPiece(PixelBuffer<byte> rent, int row) : IDisposable
{
    public bool IsFirst => row == 0;

    public bool IsDisposed => rent.IsDisposed;

    public int Bytes => rent.Width;

    /// <summary>Bytes that the whole rent holds.</summary>
    public long HeldBytes => rent.HeldBytes;

    /// <summary>From the piece on as far as its memory reaches. Made once: who takes memory often makes no garbage.</summary>
    public Memory<byte> Memory { get; } = rent.LendFrom(row, PixelPoolStream.ThrowChanged);

    /// <summary>A part of the piece, and what holds it until it is disposed.</summary>
    public PixelReference Hold(int offset, int count, out Span<byte> part)
    {
        // Before: where another thread changes the stream at this moment, what throws holds nothing. Whoever gets the reference has the span of the same rent.
        part = rent.DangerousGetRowSpan(row).Slice(offset, count);
        return rent.Hold();
    }

    /// <summary>A part of the piece as an image of its own, which holds it until it is disposed.</summary>
    public PixelBuffer<byte> View(int offset, int count) => rent.View(offset, row, count, 1);

    /// <summary>Returns the whole rent.</summary>
    public void Dispose() => rent.Dispose();
}
