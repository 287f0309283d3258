using System.Buffers;
using LoadResizeSave.Memory;

namespace LoadResizeSave.Codecs.Png;

/// <summary>Cuts the compressed pixels into IDAT chunks.</summary>
internal sealed class PngImageDataWriter(Stream destination, ImageMemory memory) : Stream
{
    private const int ChunkBytes = 64 * 1024;

    private readonly IMemoryOwner<byte> _chunk = memory.RentBytes(ChunkBytes);
    private int _length;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            int count = Math.Min(buffer.Length, ChunkBytes - _length);
            buffer[..count].CopyTo(_chunk.Memory.Span[_length..]);
            buffer = buffer[count..];
            _length += count;
            if (_length == ChunkBytes)
            {
                WriteChunk();
            }
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <summary>Writes what has gathered, if anything, as the last chunk.</summary>
    public void Finish()
    {
        if (_length > 0)
        {
            WriteChunk();
        }
    }

    /// <summary>Does nothing: chunks are written when they are full.</summary>
    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _chunk.Dispose();
        }

        base.Dispose(disposing);
    }

    private void WriteChunk()
    {
        PngChunkWriter.Write(destination, PngChunkType.ImageData, _chunk.Memory.Span[.._length]);
        _length = 0;
    }
}
