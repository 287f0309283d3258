using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Application;

/// <summary>An endless stream that may throw from every read and write.</summary>
internal sealed class FaultyStream(ApplicationFault fault) : UnseekableStream
{
    public override void Flush() => fault.Call("stream");

    public override int Read(byte[] buffer, int offset, int count)
    {
        fault.Call("stream");
        return count;
    }

    public override void Write(byte[] buffer, int offset, int count) => fault.Call("stream");
}
