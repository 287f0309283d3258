using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>A stream in some state, and beside it the memory stream that shows what it has to do.</summary>
internal sealed class StreamPair : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private StreamPair(PixelPoolStream stream) => Stream = stream;

    public MemoryStream Model { get; } = new();

    public PixelPoolStream Stream { get; }

    /// <summary>Two streams with the same content, at the same position.</summary>
    /// <param name="allocator">Where the stream rents.</param>
    /// <param name="state">What they went through.</param>
    /// <param name="bytes">How much content they have, unless they are new; rounded where the state says so.</param>
    public static StreamPair In(PixelAllocator allocator, StreamState state, int bytes)
    {
        var pair = new StreamPair(new PixelPoolStream(allocator));
        int length = state switch
        {
            StreamState.New => 0,
            StreamState.LentAcrossBlocks => ((bytes / Block) + 1) * Block - 3,
            _ => bytes,
        };
        byte[] content = new byte[length];
        new Random(bytes).NextBytes(content);
        pair.Do(stream => stream.Write(content));
        switch (state)
        {
            case StreamState.AtTheStart:
                pair.Do(static stream => stream.Position = 0);
                break;
            case StreamState.InTheMiddle:
                pair.Do(static stream => stream.Position = stream.Length / 2);
                break;
            case StreamState.BeyondTheEnd:
                pair.Do(static stream => stream.Position = stream.Length + Block);
                break;
            case StreamState.Lent or StreamState.LentAcrossBlocks:
                pair.Stream.GetSpan(10).Fill(0xEE);
                break;
            case StreamState.Disposed:
                pair.Do(static stream => stream.Dispose());
                break;
        }

        return pair;
    }

    /// <summary>Fails unless both streams are alike, and the one under test has room for what it says it has.</summary>
    public void AssertAlike()
    {
        Assert.Equal((Model.CanRead, Model.CanSeek, Model.CanWrite), (Stream.CanRead, Stream.CanSeek, Stream.CanWrite));
        if (Model.CanRead)
        {
            Assert.Equal((Model.Length, Model.Position), (Stream.Length, Stream.Position));
            Assert.InRange(Stream.Length, 0, Stream.Capacity);
            Assert.True(Model.ToArray().AsSpan().SequenceEqual(Stream.ToArray()), "the bytes differ");
        }
    }

    public void Dispose()
    {
        Stream.Dispose();
        Model.Dispose();
    }

    private void Do(Action<Stream> action)
    {
        action(Model);
        action(Stream);
    }
}
