using System.Numerics.Tensors;

namespace ManagedLibraries.Tests.Tensors;

/// <summary>Tensors over the rows of images, with any stride: nothing is copied.</summary>
public sealed class TensorTests : IDisposable
{
    private const float Tolerance = 1e-5f;

    private static readonly (float Mean, float Deviation)[] s_levels = [(123.675f, 58.395f), (116.28f, 57.12f), (103.53f, 57.375f)];

    private readonly PixelAllocator _allocator = PixelAllocator.Create(new PixelAllocatorOptions { RowAlignmentBytes = 64 });

    public void Dispose()
    {
        Assert.Equal(0, _allocator.GetStatistics().RentedBytes);
        _allocator.Dispose();
    }

    [Theory]
    [InlineData(300, 250)]
    [InlineData(1001, 701)]
    [InlineData(2003, 1501)]
    public void A_photo_becomes_the_input_of_a_network(int width, int height)
    {
        PixelAllocator allocator = _allocator;
        using PixelBuffer<Rgba> photo = allocator.Rent<Rgba>(width, height); // the largest one lies in several blocks
        Draw(photo);
        Assert.Equal(height < 1000, photo.IsContiguous);

        #region docs/recipes.md
        (float Mean, float Deviation)[] levels = [(123.675f, 58.395f), (116.28f, 57.12f), (103.53f, 57.375f)];
        using PixelBuffer<float> input = allocator.Rent<float>(photo.Width, 3 * photo.Height, AllocationOptions.Contiguous);
        using PixelBuffer<float> red = input.View(0, 0, photo.Width, photo.Height);
        using PixelBuffer<float> green = input.View(0, photo.Height, photo.Width, photo.Height);
        using PixelBuffer<float> blue = input.View(0, 2 * photo.Height, photo.Width, photo.Height);
        using PixelBuffer<byte> samples = photo.Cast<byte>(); // 4 a pixel

        samples.ProcessPixelRowsInParallel(
            [red, green, blue],
            levels,
            static (from, channels, levels) =>
            {
                for (int y = 0; y < from.Height; y++)
                {
                    Span<byte> source = from.GetRowSpan(y);
                    for (int channel = 0; channel < channels.Count; channel++)
                    {
                        Span<float> target = channels[channel].GetRowSpan(y);
                        for (int x = 0; x < target.Length; x++)
                        {
                            target[x] = source[(4 * x) + channel];
                        }

                        TensorPrimitives.Subtract(target, levels[channel].Mean, target);
                        TensorPrimitives.Divide(target, levels[channel].Deviation, target);
                    }
                }
            });
        #endregion

        foreach ((int x, int y) in ((int, int)[])[(0, 0), (width - 1, 0), (7, height / 2), (width - 1, height - 1)])
        {
            Rgba pixel = photo[x, y];
            Assert.Equal(Normal(pixel.R, 0), input[x, y], Tolerance);
            Assert.Equal(Normal(pixel.G, 1), input[x, height + y], Tolerance);
            Assert.Equal(Normal(pixel.B, 2), input[x, (2 * height) + y], Tolerance);
        }

        AssertCrop(input, photo);
    }

    [Fact]
    public unsafe void Channels_of_interleaved_pixels_are_a_tensor_in_place()
    {
        using PixelBuffer<Rgba> photo = _allocator.Rent<Rgba>(101, 57, AllocationOptions.Contiguous);
        Draw(photo);
        using PinnedPixels pin = photo.Pin();
        nint length = (((nint)pin.Height - 1) * pin.Stride) + (4 * pin.Width);
        var channels = new ReadOnlyTensorSpan<byte>((byte*)pin.Pointer, length, [4, pin.Height, pin.Width], [1, pin.Stride, 4]);
        Assert.NotEqual(4 * pin.Width, pin.Stride);
        for (int y = 0; y < pin.Height; y++)
        {
            for (int x = 0; x < pin.Width; x++)
            {
                Rgba pixel = photo[x, y];
                Assert.Equal((pixel.R, pixel.G, pixel.B, pixel.A), (channels[0, y, x], channels[1, y, x], channels[2, y, x], channels[3, y, x]));
            }
        }
    }

    [Fact]
    public unsafe void Tensors_compute_in_the_rows_and_leave_the_gaps()
    {
        using PixelBuffer<float> image = _allocator.Rent<float>(33, 20, AllocationOptions.Contiguous);
        using PixelBuffer<float> view = image.View(4, 3, 21, 10);
        image.Fill(1);
        using (PinnedPixels pin = view.Pin())
        {
            nint row = pin.Stride / sizeof(float);
            var tensor = new TensorSpan<float>((float*)pin.Pointer, ((pin.Height - 1) * row) + pin.Width, [pin.Height, pin.Width], [row, 1]);
            Tensor.Multiply(tensor, 3f, tensor);
            Assert.Equal(3 * 21 * 10, Tensor.Sum<float>(tensor));
        }

        for (int y = 0; y < image.Height; y++)
        {
            for (int x = 0; x < image.Width; x++)
            {
                Assert.Equal(x is >= 4 and < 25 && y is >= 3 and < 13 ? 3 : 1, image[x, y]);
            }
        }
    }

    private static unsafe void AssertCrop(PixelBuffer<float> input, PixelBuffer<Rgba> photo)
    {
        #region docs/recipes.md
        using PinnedPixels pin = input.Pin();
        nint row = pin.Stride / sizeof(float); // strides of tensors are in elements
        nint channel = row * photo.Height;
        nint length = (row * (pin.Height - 1)) + pin.Width;
        var tensor = new TensorSpan<float>((float*)pin.Pointer, length, [1, 3, photo.Height, photo.Width], [0, channel, row, 1]);

        int x = (photo.Width - 224) / 2;
        int y = (photo.Height - 224) / 2;
        TensorSpan<float> middle = tensor[.., .., y..(y + 224), x..(x + 224)];
        float[] crop = new float[3 * 224 * 224];
        middle.FlattenTo(crop);
        #endregion

        int i = 0;
        for (int number = 0; number < 3; number++)
        {
            for (int down = 0; down < 224; down++)
            {
                for (int across = 0; across < 224; across++)
                {
                    Rgba pixel = photo[x + across, y + down];
                    float expected = Normal(number switch { 0 => pixel.R, 1 => pixel.G, _ => pixel.B }, number);
                    if (Math.Abs(expected - crop[i++]) > Tolerance)
                    {
                        Assert.Fail($"channel {number} at ({across}, {down})");
                    }
                }
            }
        }
    }

    private static void Draw(PixelBuffer<Rgba> photo) => photo.ProcessPixelRows(static rows =>
    {
        for (int y = 0; y < rows.Height; y++)
        {
            Span<Rgba> row = rows.GetRowSpan(y);
            for (int x = 0; x < row.Length; x++)
            {
                row[x] = new Rgba((byte)x, (byte)y, (byte)(x ^ y), (byte)(x + y));
            }
        }
    });

    private static float Normal(byte sample, int channel) => (sample - s_levels[channel].Mean) / s_levels[channel].Deviation;
}
