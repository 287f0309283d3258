using System.Runtime.InteropServices;
using Imaging.Memory;

namespace Imaging.Testing;

/// <summary>An image as tests hold it: red, green and blue, byte after byte, row after row.</summary>
public sealed record Picture(int Width, int Height, byte[] Bytes)
{
    private const int PixelBytes = 3;

    public static Picture Random(int width, int height, int seed = 1)
    {
        byte[] bytes = new byte[width * height * PixelBytes];
        new Random(seed).NextBytes(bytes);
        return new Picture(width, height, bytes);
    }

    /// <summary>Each sample by its column, row and channel.</summary>
    public static Picture Painted(int width, int height, Func<int, int, int, double> sampleAt)
    {
        byte[] bytes = new byte[width * height * PixelBytes];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = (byte)Math.Round(sampleAt(i / PixelBytes % width, i / PixelBytes / width, i % PixelBytes));
        }

        return new Picture(width, height, bytes);
    }

    /// <summary>Soft waves, of the kind that JPEG keeps well.</summary>
    public static Picture Smooth(int width, int height) =>
        Painted(width, height, (x, y, channel) => 128 + (100 * Math.Sin((x + (2 * y) + (20 * channel)) / 40.0)));

    public static Picture Of(Image<Rgb24> image)
    {
        var picture = new Picture(image.Width, image.Height, new byte[image.PixelCount * PixelBytes]);
        image.ProcessRows(picture, static (rows, picture) =>
        {
            for (int y = 0; y < rows.Height; y++)
            {
                MemoryMarshal.AsBytes(rows[y]).CopyTo(picture.Row(y));
            }
        });
        return picture;
    }

    public byte this[int x, int y, int channel] => Bytes[(((y * Width) + x) * PixelBytes) + channel];

    public Image<Rgb24> In(ImageMemory memory, PixelLayout layout = PixelLayout.Rows)
    {
        Image<Rgb24> image = memory.Rent<Rgb24>(Width, Height, layout);
        image.ProcessRows(this, static (rows, picture) =>
        {
            for (int y = 0; y < rows.Height; y++)
            {
                picture.Row(y).CopyTo(MemoryMarshal.AsBytes(rows[y]));
            }
        });
        return image;
    }

    public double Mean(int channel) => Bytes.Where((_, i) => i % PixelBytes == channel).Average(sample => sample);

    /// <summary>The peak signal-to-noise ratio in dB; infinite for equal pictures.</summary>
    public double LikenessTo(Picture other)
    {
        Assert.Equal((Width, Height), (other.Width, other.Height));
        return 10 * Math.Log10(255 * 255 / Bytes.Zip(other.Bytes, (a, b) => Math.Pow(a - b, 2)).Average());
    }

    /// <summary>The largest difference of a sample, or fails because the sizes differ.</summary>
    public int DifferenceTo(Picture other)
    {
        Assert.Equal((Width, Height), (other.Width, other.Height));
        return Bytes.Zip(other.Bytes, (a, b) => Math.Abs(a - b)).Max();
    }

    public static void AssertEqual(Picture expected, Picture actual)
    {
        Assert.Equal((expected.Width, expected.Height), (actual.Width, actual.Height));
        Assert.Equal(expected.Bytes, actual.Bytes);
    }

    private Span<byte> Row(int y) => Bytes.AsSpan(y * Width * PixelBytes, Width * PixelBytes);
}
