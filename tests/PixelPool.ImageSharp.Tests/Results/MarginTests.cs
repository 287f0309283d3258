using ImageSharp.Tests.Infrastructure;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;

namespace ImageSharp.Tests.Results;

/// <summary>ImageSharp reads some bytes beside its buffers. Sizes that end at the very end of what was mapped must not end the process.</summary>
public class MarginTests
{
    /// <summary>1025 x 1364 x 3 bytes are four less than a block of 4 MiB.</summary>
    [Theory]
    [MemberData(nameof(TestAllocator.Kinds), MemberType = typeof(TestAllocator))]
    public void Jpeg_that_fills_a_block(MemoryKind kind) => RoundTrip<Rgb24>(kind, "jpeg", 1025, 1364);

    [Theory]
    [MemberData(nameof(TestAllocator.Kinds), MemberType = typeof(TestAllocator))]
    public void Image_that_fills_its_pages(MemoryKind kind) => RoundTrip<Rgba32>(kind, "jpeg", 4096, 4096);

    [Theory]
    [MemberData(nameof(TestAllocator.Kinds), MemberType = typeof(TestAllocator))]
    public void Lossless_webp(MemoryKind kind) => RoundTrip<Rgba32>(kind, "webp lossless", 1024, 256);

    /// <summary>Rows of every length at every place of a page, forward and back.</summary>
    [Theory]
    [MemberData(nameof(TestAllocator.Kinds), MemberType = typeof(TestAllocator))]
    public void Buffers_of_all_lengths(MemoryKind kind)
    {
        using PixelAllocator allocator = TestAllocator.Create(kind);
        Configuration own = TestConfiguration.OfImageSharp();
        Configuration pooled = TestConfiguration.With(allocator);
        for (int width = 9; width < 130; width += 3)
        {
            Assert.Equal(Blur(own, width), Blur(pooled, width));
        }

        TestAllocator.AssertQuiet(allocator);
    }

    private static byte[] Blur(Configuration configuration, int width)
    {
        using Image<Rgba32> image = Pictures.Draw<Rgba32>(configuration, width, 64);
        image.Mutate(static image => image.GaussianBlur(1.5f).Resize(77, 31));
        return [.. Pictures.PixelsOf(image), .. Pictures.Encode(image, "jpeg")];
    }

    private static void RoundTrip<TPixel>(MemoryKind kind, string format, int width, int height)
        where TPixel : unmanaged, IPixel<TPixel>
    {
        using PixelAllocator allocator = TestAllocator.Create(kind);
        Configuration pooled = TestConfiguration.With(allocator);
        byte[] file = Pictures.Encode<TPixel>(format, width, height);
        using (Image<TPixel> image = Pictures.Draw<TPixel>(pooled, width, height))
        {
            Assert.True(file.AsSpan().SequenceEqual(Pictures.Encode(image, format)));
        }

        using Image<TPixel> expected = Pictures.Decode<TPixel>(TestConfiguration.OfImageSharp(), file);
        using (Image<TPixel> decoded = Pictures.Decode<TPixel>(pooled, file))
        {
            Assert.True(Pictures.PixelsOf(expected).AsSpan().SequenceEqual(Pictures.PixelsOf(decoded)));
        }

        TestAllocator.AssertQuiet(allocator);
    }
}
