using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>Every member in every state, beside <see cref="MemoryStream"/>: the same results, the same errors, the same bytes.</summary>
[Trait("Category", "Long")]
public sealed class ConformanceTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public ConformanceTests()
    {
        _allocator = _system.CreateAllocator();

        // Memory that is reused is not zero.
        using PixelBuffer<byte> dirt = _allocator.Rent<byte>(Block, 12);
        dirt.Fill(0xCC);
    }

    public static MatrixTheoryData<StreamState, int, string> Everything =>
        new(Enum.GetValues<StreamState>(), [100, (2 * Block) + 100], StreamCalls.Names);

    public void Dispose()
    {
        Assert.Equal((0, 0), (_allocator.GetStatistics().RentedBytes, _allocator.GetStatistics().SecondReturns));
        StatisticsAssert.Balanced(_allocator.GetStatistics());
        _allocator.Dispose();
        _system.Dispose();
    }

    [Theory]
    [MemberData(nameof(Everything))]
    public async Task Does_what_a_memory_stream_does(StreamState state, int bytes, string call)
    {
        using var streams = StreamPair.In(_allocator, state, bytes);
        StreamCall use = StreamCalls.Of(call);
        string expected = await use.OutcomeAsync(streams.Model);
        string actual = await use.OutcomeAsync(streams.Stream);
        if (!Differs(state, call))
        {
            Assert.Equal(expected, actual);
            streams.AssertAlike();
        }
    }

    private static bool Differs(StreamState state, string call) =>
        // A disposed memory stream says that it cannot be written to.
        (state == StreamState.Disposed && call.StartsWith("SetLength(", StringComparison.Ordinal) && call != "SetLength(-1)")
        // To write nothing is to do nothing: a memory stream becomes longer behind its end.
        || (state == StreamState.BeyondTheEnd && call.StartsWith("Write 0, ", StringComparison.Ordinal) && !call.Contains(" of ", StringComparison.Ordinal));
}
