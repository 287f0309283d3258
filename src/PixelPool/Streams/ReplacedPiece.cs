namespace PixelPool;

/// <summary>The small piece of a stream that a larger one replaced, with the memory that was lent of it. Both end when it is disposed: what is written to the stream may lie there.</summary>
internal readonly struct ReplacedPiece(PixelLease<byte> piece, StreamMemory? memory) : IDisposable
{
    public void Dispose()
    {
        memory?.End();
        piece.Dispose();
    }
}
