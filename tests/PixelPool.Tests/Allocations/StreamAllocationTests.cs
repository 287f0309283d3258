namespace PixelPool.Tests.Allocations;

/// <summary>In memory that a stream has, nothing is allocated.</summary>
public sealed class StreamAllocationTests : IDisposable
{
    private readonly PixelAllocator _allocator = PixelAllocator.Create();
    private readonly PixelPoolStream _stream;
    private readonly byte[] _bytes = new byte[100];

    public StreamAllocationTests()
    {
        _stream = new PixelPoolStream(_allocator);
        _stream.SetLength(1000);
    }

    public static TheoryData<string> Uses =>
    [
        "Read",
        "ReadByte",
#if !LIBRARY_NETSTANDARD
        // There it is the base library's, which makes a task.
        "ReadAsync",
#endif
        "Write",
        "WriteByte",
        "WriteAsync",
        "WriteAsync of an array",
        "GetSpan and Advance",
    ];

    public void Dispose()
    {
        _stream.Dispose();
        _allocator.Dispose();
    }

    [Theory]
    [MemberData(nameof(Uses))]
    public void Use_of_a_stream(string use)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        Action action = use switch
        {
            "Read" => () => Assert.True(_stream.Read(_bytes, 0, 100) == 100),
            "ReadByte" => () => Assert.True(_stream.ReadByte() >= 0),
            "ReadAsync" => () => Assert.True(_stream.ReadAsync(_bytes.AsMemory(), token).IsCompletedSuccessfully),
            "Write" => () => _stream.Write(_bytes, 0, 100),
            "WriteByte" => () => _stream.WriteByte(1),
            "WriteAsync" => () => Assert.True(_stream.WriteAsync(_bytes.AsMemory(), token).IsCompletedSuccessfully),
            "WriteAsync of an array" => () => Assert.True(_stream.WriteAsync(_bytes, 0, 100, token).IsCompletedSuccessfully),
            _ => Lend,
        };
        AllocationMeter.AssertAllocates(0, () =>
        {
            _stream.Position = 0;
            action();
        });
    }

    private void Lend()
    {
        _stream.GetSpan(100)[0] = 1;
        _stream.Advance(100);
    }
}
