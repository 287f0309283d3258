namespace LoadResizeSave.Codecs.Png;

/// <summary>The compressed pixels as one stream, however many IDAT chunks they were cut into.</summary>
internal sealed class PngImageDataReader(PngChunkReader chunks, PngChunk first) : Stream
{
    private PngChunk _current = first;
    private ReadOnlyMemory<byte> _rest = first.Data;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Compressed data says itself where it ends: who asks for more has a cut one, at worst without its checksum.</summary>
    public override int Read(Span<byte> buffer)
    {
        while (_rest.IsEmpty && _current.Type == PngChunkType.ImageData)
        {
            _current = chunks.Next();
            _rest = _current.Type == PngChunkType.ImageData ? _current.Data : default;
        }

        if (_rest.IsEmpty)
        {
            throw new InvalidDataException("The compressed pixels end too early.");
        }

        int count = Math.Min(buffer.Length, _rest.Length);
        _rest.Span[..count].CopyTo(buffer);
        _rest = _rest[count..];
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <summary>Goes over what follows the pixels; a file without its end was cut.</summary>
    public void ReadToEndOfFile()
    {
        while (_current.Type != PngChunkType.End)
        {
            _current = chunks.Next();
        }
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
