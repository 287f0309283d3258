using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>A stream that is disposed while others use it touches nobody's memory, and gives all of its own back.</summary>
public class PixelPoolStreamRaceTests(ITestOutputHelper output)
{
    private const int Block = TestSystem.BlockBytes;
    private const int Rounds = 300;

    /// <summary>Disposing both is how they are used: nobody returned anything twice.</summary>
    [Fact]
    public void A_stream_that_ends_beside_its_scope_is_no_second_return()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        var scope = new RentScope(allocator);
        var stream = new PixelPoolStream(scope, 8 * Block);
        var meeting = new SpinMeeting();
        Simultaneously.Run(2, index =>
        {
            for (int round = 0; round < 20_000; round++)
            {
                if (!meeting.WaitAndGoOn(index))
                {
                    return;
                }

                if (index == 0)
                {
                    scope.Dispose();
                }
                else
                {
                    stream.Dispose();
                }

                meeting.Wait(index);
                if (index == 0)
                {
                    scope = new RentScope(allocator);
                    stream = new PixelPoolStream(scope, 8 * Block);
                }
            }
        });
        scope.Dispose();
        stream.Dispose();
        Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
    }

    [Fact]
    public void Nobody_writes_to_memory_that_was_given_back()
    {
        int seed = Random.Shared.Next();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        for (int round = 0; round < Rounds; round++)
        {
            int spins = random.Next(2000);
            int chunk = random.Next(1, 3 * Block);
            bool lends = random.Next(2) == 0;

            // It begins with blocks, or with a small piece, which two threads replace at once.
            bool grows = random.Next(2) == 0;
            var stream = new PixelPoolStream(allocator, grows ? 1 : 4 * Block);
            stream.SetLength(grows ? 1 : 4 * Block);
            using var next = new NextImage();
            Simultaneously.Run(3, index =>
            {
                if (index == 0)
                {
                    Thread.SpinWait(spins);
                    stream.Dispose();
                    next.Image = allocator.Rent<byte>(Block, 4);
                    next.Image.Fill(0x55);
                }
                else
                {
                    UseUntilDisposed(stream, index == 1 ? (grows ? Grow : Read) : lends ? Lend : grows ? Grow : Write, new byte[chunk]);
                }
            });
            next.Image!.ProcessPixelRows(static pixels =>
            {
                foreach (Span<byte> row in pixels)
                {
                    Assert.Equal(-1, row.IndexOfAnyExcept((byte)0x55));
                }
            });
        }

        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    // Two threads that do not coordinate may get any answer, but no memory of others.
    private static void UseUntilDisposed(PixelPoolStream stream, Action<PixelPoolStream, byte[]> use, byte[] bytes)
    {
        bytes.AsSpan().Fill(0xAA);
        try
        {
            while (true)
            {
                stream.Position = 0;
                use(stream, bytes);
            }
        }
        catch (Exception e) when (e is ObjectDisposedException or IndexOutOfRangeException or ArgumentOutOfRangeException)
        {
        }
    }

    private static void Read(PixelPoolStream stream, byte[] bytes) => _ = stream.Read(bytes) + 1;

    private static void Write(PixelPoolStream stream, byte[] bytes) => stream.Write(bytes);

    private static void Grow(PixelPoolStream stream, byte[] bytes)
    {
        stream.SetLength(1);
        stream.Write(bytes);
        _ = stream.Read(bytes) + 1;
    }

    // Nothing protects the span of what is lent: only the stream itself copies from it here.
    private static void Lend(PixelPoolStream stream, byte[] bytes)
    {
        stream.Position = (3 * Block) + 9;
        try
        {
            stream.GetMemory(bytes.Length);
            stream.Advance(bytes.Length);
        }
        catch (InvalidOperationException e) when (e is not ObjectDisposedException)
        {
            // The one that reads has ended it.
        }
    }

    private sealed class NextImage : IDisposable
    {
        public PixelBuffer<byte>? Image { get; set; }

        public void Dispose() => Image?.Dispose();
    }
}
