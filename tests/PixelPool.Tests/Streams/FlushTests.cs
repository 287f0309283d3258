using System.IO.Pipelines;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>There is nothing to flush, so it is done at once: no thread, no object.</summary>
public sealed class FlushTests : IDisposable
{
    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public FlushTests() => _allocator = _system.CreateAllocator();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void It_is_complete_when_the_call_returns_and_allocates_nothing()
    {
        using var stream = new PixelPoolStream(_allocator);
        stream.WriteByte(1);
        CancellationToken token = Token;
        AllocationMeter.AssertAllocates(0, () => Assert.True(stream.FlushAsync(token).IsCompletedSuccessfully));
    }

    [Fact]
    public async Task A_pipe_writer_completes_at_once()
    {
        using var stream = new PixelPoolStream(_allocator);
        PipeWriter writer = PipeWriter.Create(stream, new StreamPipeWriterOptions(leaveOpen: true));
        byte[] bytes = new byte[TestSystem.BlockBytes];
        for (int i = 0; i < 5; i++)
        {
            ValueTask<FlushResult> writing = writer.WriteAsync(bytes, Token);
            Assert.True(writing.IsCompletedSuccessfully);
            await writing;
        }

        await writer.CompleteAsync();
        Assert.Equal(5 * bytes.Length, stream.Length);
    }
}
