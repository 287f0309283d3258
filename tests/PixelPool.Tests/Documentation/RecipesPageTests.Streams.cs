using System.Buffers;
using System.IO.Pipelines;

namespace PixelPool.Tests.Documentation;

// Bytes that come and go one after the other.
public sealed partial class RecipesPageTests
{
    [Fact]
    public async Task Bytes_of_unknown_length()
    {
        PixelAllocator allocator = _allocator;
        CancellationToken cancellation = Token;
        byte[] sent = new byte[3_000_000];
        new Random(1).NextBytes(sent);
        using var body = new MemoryStream(sent);

        #region docs/recipes.md
        using var file = new PixelPoolStream(allocator);
        await body.CopyToAsync(file, cancellation);
        ReadOnlySequence<byte> bytes = file.AsReadOnlySequence();
        #endregion

        Assert.Equal(sent, bytes.ToArray());
    }

    [Fact]
    public async Task Bytes_of_a_known_limit()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 64 << 20 });
        CancellationToken cancellation = Token;
        int mostBytes = 10_000_000;
        using var body = new MemoryStream(new byte[mostBytes]);

        #region docs/recipes.md
        long bytes = allocator.GetHeldBytes<byte>(mostBytes, 1, AllocationOptions.Contiguous);
        using RentScope request = await allocator.ReserveScopeAsync(bytes, cancellation);
        using var file = new PixelPoolStream(request, mostBytes);
        await body.CopyToAsync(file, cancellation);
        #endregion

        Assert.Equal((mostBytes, bytes), (file.Length, file.Capacity));
        Assert.Equal((bytes, bytes), (request.ChargedBytes, allocator.GetStatistics().ChargedBytes));
        Assert.Throws<PixelBudgetExceededException>(() => file.Write(new byte[bytes - mostBytes + 1]));
    }

    [Fact]
    public async Task A_pipe_in_pooled_memory()
    {
        using PixelAllocator allocator = PixelAllocator.Create();

        #region docs/recipes.md
        var pipe = new Pipe(new PipeOptions(pool: allocator.AsMemoryPool(), minimumSegmentSize: 65_536));
        #endregion

        await pipe.Writer.WriteAsync(new byte[10_000], Token);
        Assert.Equal(1, allocator.GetStatistics().Rents);
        await pipe.Writer.CompleteAsync();
        await pipe.Reader.CompleteAsync();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        using IMemoryOwner<byte> usual = allocator.AsMemoryPool().Rent();
        using IMemoryOwner<byte> exact = allocator.AsMemoryPool().Rent(5000);
        Assert.Equal((4096, 5000), (usual.Memory.Length, exact.Memory.Length));
    }

    [Fact]
    public async Task Pipes()
    {
        CancellationToken cancellation = Token;
        using PixelBuffer<uint> image = _allocator.Rent<uint>(700, 500);
        using PixelBuffer<uint> copy = _allocator.Rent<uint>(700, 500);
        image.Fill(7);
        var pipe = new Pipe();
        PipeWriter writer = pipe.Writer;
        PipeReader reader = pipe.Reader;
        Task reading = Task.Run(
            async () =>
            {
                #region docs/recipes.md
                await copy.ReadFromAsync(reader.AsStream(leaveOpen: true), cancellation);
                #endregion
            },
            cancellation);

        #region docs/recipes.md
        foreach (ReadOnlyMemory<byte> part in image.AsReadOnlySequence())
        {
            await writer.WriteAsync(part, cancellation);
        }
        #endregion

        await reading;
        Assert.Equal(7u, copy[699, 499]);
    }
}
