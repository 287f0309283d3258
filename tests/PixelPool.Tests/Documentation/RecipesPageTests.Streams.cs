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
