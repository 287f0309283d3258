using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers;

/// <summary>Says that it has read a byte more than it was asked for.</summary>
internal sealed class BoastfulStream : UnseekableStream
{
    public override int Read(byte[] buffer, int offset, int count) => count + 1;

    public override int Read(Span<byte> buffer) => buffer.Length + 1;

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => Task.FromResult(count + 1);

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(buffer.Length + 1);

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
