using static PixelPool.Tests.Documentation.SkiaStandIn;

namespace PixelPool.Tests.Documentation;

// What decoders make.
public sealed partial class RecipesPageTests
{
    [Fact]
    public void A_decoder_that_writes_to_an_address()
    {
        using (PixelBuffer<uint> photo = Decode(_allocator, new MemoryStream([3, 2, 7])))
        {
            Assert.Equal((3, 2, 7u, 7u), (photo.Width, photo.Height, photo[0, 0], photo[2, 1]));
        }

        using (PixelBuffer<uint> part = Decode(_allocator, new MemoryStream([30, 40, 7, Truncated])))
        {
            Assert.Equal((7u, 0u), (part[29, 0], part[0, 1]));
        }

        Assert.Throws<InvalidDataException>(() => Decode(_allocator, new MemoryStream([3, 2, 7, Broken])));
        Assert.Throws<InvalidDataException>(() => Decode(_allocator, new MemoryStream()));

        #region docs/recipes.md
        static PixelBuffer<uint> Decode(PixelAllocator allocator, Stream file)
        {
            using SKCodec codec = SKCodec.Create(file) ?? throw new InvalidDataException("Skia does not know this format.");
            SKImageInfo info = codec.Info.WithColorType(SKColorType.Rgba8888);
            PixelBuffer<uint> photo = allocator.Rent<uint>(info.Width, info.Height, AllocationOptions.Contiguous | AllocationOptions.Clean);
            try
            {
                using PinnedPixels pin = photo.Pin();
                SKCodecResult result = codec.GetPixels(info, pin.Address, pin.Stride, SKCodecOptions.Default);
                return result is SKCodecResult.Success or SKCodecResult.IncompleteInput ? photo : throw new InvalidDataException($"Skia says: {result}.");
            }
            catch
            {
                photo.Dispose();
                throw;
            }
        }
        #endregion
    }

    [Fact]
    public void A_decoder_that_returns_an_array()
    {
        PixelAllocator allocator = _allocator;
        (int width, int height, int stride) = (3, 2, 16);
        byte[] bytes = [.. Enumerable.Range(0, 32).Select(static i => (byte)i)];

        #region docs/recipes.md
        using PixelBuffer<Rgba> photo = allocator.Rent<Rgba>(width, height);
        photo.CopyFrom(bytes, stride);
        #endregion

        Assert.Equal((new Rgba(0, 1, 2, 3), new Rgba(24, 25, 26, 27)), (photo[0, 0], photo[2, 1]));
    }
}
