using Imaging.Memory;
using Imaging.Resizing;
using Imaging.Testing;

namespace Imaging.Tests.Resizing;

public class ResizerTests
{
    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(255, 255, 255)]
    [InlineData(1, 128, 254)]
    public void A_picture_of_one_colour_keeps_it_in_every_pixel(byte r, byte g, byte b)
    {
        byte[] color = [r, g, b];
        foreach ((int width, int height) in (ReadOnlySpan<(int, int)>)[(1, 1), (100, 3), (3, 100), (97, 61), (40, 41)])
        {
            Picture source = Picture.Painted(width, height, (_, _, channel) => color[channel]);
            foreach (int size in (ReadOnlySpan<int>)[1, 2, 7, 33])
            {
                Picture small = Shrink(source, size);
                Picture.AssertEqual(Picture.Painted(small.Width, small.Height, (_, _, channel) => color[channel]), small);
            }
        }
    }

    [Theory]
    [InlineData(97, 61, 40)]
    [InlineData(61, 97, 13)]
    [InlineData(64, 64, 63)]
    [InlineData(200, 9, 50)]
    [InlineData(33, 31, 1)]
    public void Every_pixel_is_what_the_textbook_says(int width, int height, int size)
    {
        Picture source = Picture.Random(width, height);
        Picture small = Shrink(source, size);
        Assert.InRange(small.DifferenceTo(ReferenceResizer.Resize(source, small.Width, small.Height)), 0, 1);
    }

    [Theory]
    [InlineData(4, 3, 2, 2, 2)] // 1.5 rows become 2
    [InlineData(300, 200, 30, 30, 20)]
    [InlineData(200, 300, 30, 20, 30)]
    [InlineData(1000, 1, 10, 10, 1)]
    [InlineData(1, 1000, 10, 1, 10)]
    public void The_longer_side_gets_the_size_and_the_shape_stays(int width, int height, int size, int newWidth, int newHeight)
    {
        Picture small = Shrink(Picture.Smooth(width, height), size);
        Assert.Equal((newWidth, newHeight), (small.Width, small.Height));
    }

    [Theory]
    [InlineData(37, 23, 37)]
    [InlineData(37, 23, 38)]
    [InlineData(23, 37, 8192)]
    [InlineData(1, 1, 256)]
    public void A_picture_that_is_small_already_stays_as_it_is(int width, int height, int size)
    {
        Picture source = Picture.Random(width, height);
        Picture.AssertEqual(source, Shrink(source, size));
    }

    [Theory]
    [InlineData(20)]
    [InlineData(53)]
    [InlineData(119)]
    public void Brightness_stays_the_same_on_the_whole(int size)
    {
        Picture source = Picture.Smooth(120, 90);
        Picture small = Shrink(source, size);
        for (int channel = 0; channel < 3; channel++)
        {
            Assert.InRange(small.Mean(channel) - source.Mean(channel), -1.0, 1.0);
        }
    }

    [Fact]
    public void A_sharp_edge_stays_sharp_and_in_the_middle()
    {
        Picture small = Shrink(Picture.Painted(160, 80, (x, _, _) => x < 80 ? 0 : 255), 40);
        for (int y = 0; y < small.Height; y++)
        {
            for (int x = 0; x < small.Width; x++)
            {
                // Lanczos rings a little, up to three pixels from the edge; what it does on one side it does on the other.
                int tolerance = x is >= 17 and < 23 ? 25 : 0;
                Assert.InRange(small[x, y, 0], x < 20 ? 0 : 255 - tolerance, x < 20 ? tolerance : 255);
                Assert.InRange(small[x, y, 0] + small[39 - x, y, 0], 254, 256);
            }
        }
    }

    [Fact]
    public void A_mirrored_picture_gives_the_mirrored_thumbnail()
    {
        Picture source = Picture.Random(97, 61);
        Picture expected = Mirrored(Shrink(source, 30));
        Assert.InRange(Shrink(Mirrored(source), 30).DifferenceTo(expected), 0, 1);

        static Picture Mirrored(Picture picture) => Picture.Painted(
            picture.Width, picture.Height, (x, y, channel) => picture[picture.Width - 1 - x, picture.Height - 1 - y, channel]);
    }

    [Fact]
    public void The_same_pixels_come_out_in_every_memory_and_layout()
    {
        Picture source = Picture.Random(211, 401);
        Picture expected = Shrink(source, 200);
        foreach (string name in Memories.Names)
        {
            foreach (PixelLayout layout in Enum.GetValues<PixelLayout>())
            {
                using var memory = Memories.Create(name);
                Picture.AssertEqual(expected, Shrink(source, 200, layout, memory));
                Memories.AssertNothingIsRented(memory);
            }
        }
    }

    private static Picture Shrink(Picture source, int size)
    {
        var memory = new ObservedMemory();
        Picture small = Shrink(source, size, PixelLayout.Rows, memory);
        Assert.Equal(0, memory.Live);
        return small;
    }

    private static Picture Shrink(Picture source, int size, PixelLayout layout, ImageMemory memory)
    {
        using Image<Rgb24> image = source.In(memory);
        using Image<Rgb24> small = Resizer.Shrink(image, size, layout, memory);
        return Picture.Of(small);
    }
}
