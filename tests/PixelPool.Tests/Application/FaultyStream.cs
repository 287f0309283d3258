namespace PixelPool.Tests.Application;

/// <summary>An endless stream that may throw from every read and write.</summary>
internal sealed class FaultyStream(ApplicationFault fault) : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Flush() => fault.Call("stream");

    public override int Read(byte[] buffer, int offset, int count)
    {
        fault.Call("stream");
        return count;
    }

    public override void Write(byte[] buffer, int offset, int count) => fault.Call("stream");

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
