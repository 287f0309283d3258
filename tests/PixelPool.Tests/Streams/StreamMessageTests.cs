using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>Errors name what the caller has used, and say what became of it.</summary>
public sealed class StreamMessageTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public StreamMessageTests() => _allocator = _system.CreateAllocator();

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void An_old_sequence_says_that_the_stream_was_changed()
    {
        using var stream = new PixelPoolStream(_allocator);
        stream.Write([1, 2, 3]);
        ReadOnlySequence<byte> small = stream.AsReadOnlySequence();
        stream.Write(new byte[3 * Block]);
        AssertTellsOfChange(small);
        ReadOnlySequence<byte> large = stream.AsReadOnlySequence();
        stream.SetLength(0);
        AssertTellsOfChange(large);
    }

    [Fact]
    public void Old_memory_for_a_writer_says_that_the_stream_was_changed()
    {
        using var stream = new PixelPoolStream(_allocator);
        Memory<byte> small = stream.GetMemory(3);
        stream.SetLength(Block - 3);
        AssertTellsOfChange(new ReadOnlySequence<byte>(small));
        stream.Position = Block - 3;
        Memory<byte> large = stream.GetMemory(10);
        stream.SetLength(Block);
        AssertTellsOfChange(new ReadOnlySequence<byte>(large));
    }

    [Fact]
    public void A_disposed_stream_says_its_name()
    {
        var stream = new PixelPoolStream(_allocator);
        stream.Write(new byte[2 * Block]);
        stream.Position = 0;
        stream.Dispose();
        foreach (Action use in (Action[])
            [() => stream.ReadByte(), () => stream.WriteByte(1), () => stream.GetMemory(), () => stream.Advance(1), () => stream.CopyTo(Stream.Null), () => _ = stream.Length])
        {
            ObjectDisposedException e = Assert.Throws<ObjectDisposedException>(use);
            Assert.Equal("PixelPoolStream", e.ObjectName);
            Assert.Contains("PixelPoolStream", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_stream_whose_scope_has_ended_says_so()
    {
        var scope = new RentScope(_allocator);
        using var stream = new PixelPoolStream(scope);
        stream.Write(new byte[2 * Block]);
        scope.Dispose();
        foreach (Action use in (Action[])
            [
                () => stream.ReadByte(), () => stream.WriteByte(1), () => stream.Write(new byte[5 * Block]), () => stream.GetMemory(), () => stream.GetMemory(5 * Block), () => stream.CopyTo(Stream.Null),
                () => stream.AsReadOnlySequence(), () => stream.ToArray(), () => stream.SetLength(5 * Block), () => stream.CopyToAsync(Stream.Null, TestContext.Current.CancellationToken).GetAwaiter().GetResult(),
            ])
        {
            stream.Position = 0;
            ObjectDisposedException e = Assert.Throws<ObjectDisposedException>(use);
            Assert.Equal("RentScope", e.ObjectName);
        }
    }

    [Fact]
    public void A_stream_that_is_disposed_after_its_scope_returns_nothing_twice()
    {
        var scope = new RentScope(_allocator);
        var stream = new PixelPoolStream(scope);
        stream.Write(new byte[2 * Block]);
        scope.Dispose();
        stream.Dispose();
        Assert.Equal((0, 0), (_allocator.GetStatistics().RentedBytes, _allocator.GetStatistics().SecondReturns));
    }

    private static void AssertTellsOfChange(ReadOnlySequence<byte> old)
    {
        foreach (Action use in (Action[])[() => _ = old.First.Span[0], () => old.First.Pin(), () => old.ToArray()])
        {
            ObjectDisposedException e = Assert.Throws<ObjectDisposedException>(use);
            Assert.Equal("PixelPoolStream", e.ObjectName);
            Assert.Contains("changed", e.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("PixelBuffer", e.Message, StringComparison.Ordinal);
        }
    }
}
