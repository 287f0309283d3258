namespace PixelPool.Tests.Infrastructure;

/// <summary>Takes and gives any bytes; runs an action at the first read or write.</summary>
internal sealed class CollectingStream(Action atFirstUse) : UnseekableStream
{
    private bool _used;

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        buffer.Fill(1);
        Use();
        Assert.Equal(-1, buffer.IndexOfAnyExcept((byte)1));
        return buffer.Length;
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        byte[] before = buffer.ToArray();
        Use();
        Assert.True(buffer.SequenceEqual(before), "the memory changed while it was written to a stream");
    }

    private void Use()
    {
        if (!_used)
        {
            _used = true;
            atFirstUse();
        }
    }
}
