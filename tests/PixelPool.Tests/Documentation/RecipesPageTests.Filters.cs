namespace PixelPool.Tests.Documentation;

// The filters, compared with the same sums pixel by pixel.
public sealed partial class RecipesPageTests
{
    private const int Width = 203;
    private const int Height = 157;

    [Fact]
    public void Edges()
    {
        PixelAllocator allocator = _allocator;
        CancellationToken cancellation = Token;
        using PixelBuffer<byte> grey = RentNoise();

        #region docs/recipes.md
        using PixelBuffer<byte> edges = allocator.Rent<byte>(grey.Width, grey.Height);

        edges.FilterPixelRowsInParallel(
            grey,
            static (band, source) =>
            {
                for (int y = 0; y < band.Height; y++)
                {
                    int row = band.FirstRow + y;
                    ReadOnlySpan<byte> above = source.GetRowSpanClamped(row - 1);
                    ReadOnlySpan<byte> middle = source.GetRowSpan(row);
                    ReadOnlySpan<byte> below = source.GetRowSpanClamped(row + 1);
                    Span<byte> target = band.GetRowSpan(y);
                    for (int x = 0; x < target.Length; x++)
                    {
                        int left = Math.Max(x - 1, 0);
                        int right = Math.Min(x + 1, target.Length - 1);
                        int across = above[right] - above[left] + (2 * (middle[right] - middle[left])) + below[right] - below[left];
                        int down = below[left] - above[left] + (2 * (below[x] - above[x])) + below[right] - above[right];
                        target[x] = (byte)Math.Min(Math.Abs(across) + Math.Abs(down), 255);
                    }
                }
            },
            cancellationToken: cancellation);
        #endregion

        AssertIs(edges, (x, y) =>
        {
            int across = 0;
            int down = 0;
            for (int i = -1; i <= 1; i++)
            {
                across += (2 - Math.Abs(i)) * (At(grey, x + 1, y + i) - At(grey, x - 1, y + i));
                down += (2 - Math.Abs(i)) * (At(grey, x + i, y + 1) - At(grey, x + i, y - 1));
            }

            return Math.Min(255, Math.Abs(across) + Math.Abs(down));
        });
    }

    [Fact]
    public void Blurred()
    {
        PixelAllocator allocator = _allocator;
        using PixelBuffer<byte> grey = RentNoise();
        using PixelBuffer<float> photo = allocator.Rent<float>(Width, Height);
        grey.ProcessPixelRows(photo, static (from, to) =>
        {
            for (int y = 0; y < from.Height; y++)
            {
                for (int x = 0; x < from.Width; x++)
                {
                    to[x, y] = from[x, y];
                }
            }
        });

        #region docs/recipes.md
        float[] kernel = [1 / 16f, 4 / 16f, 6 / 16f, 4 / 16f, 1 / 16f];
        using PixelBuffer<float> across = allocator.Rent<float>(photo.Width, photo.Height);
        using PixelBuffer<float> blurred = allocator.Rent<float>(photo.Width, photo.Height);

        photo.ProcessPixelRowsInParallel(across, kernel, static (from, to, kernel) =>
        {
            for (int y = 0; y < from.Height; y++)
            {
                Span<float> source = from.GetRowSpan(y);
                Span<float> target = to.GetRowSpan(y);
                for (int x = 0; x < target.Length; x++)
                {
                    float sum = 0;
                    for (int i = 0; i < kernel.Length; i++)
                    {
                        sum += kernel[i] * source[Math.Clamp(x + i - (kernel.Length / 2), 0, source.Length - 1)];
                    }

                    target[x] = sum;
                }
            }
        });
        blurred.FilterPixelRowsInParallel(across, kernel, static (band, source, kernel) =>
        {
            for (int y = 0; y < band.Height; y++)
            {
                Span<float> target = band.GetRowSpan(y);
                target.Clear();
                for (int i = 0; i < kernel.Length; i++)
                {
                    ReadOnlySpan<float> row = source.GetRowSpanClamped(band.FirstRow + y + i - (kernel.Length / 2));
                    for (int x = 0; x < target.Length; x++)
                    {
                        target[x] += kernel[i] * row[x];
                    }
                }
            }
        });
        #endregion

        for (int y = 0; y < Height; y++)
        {
            for (int x = 0; x < Width; x++)
            {
                float sum = 0;
                for (int j = 0; j < kernel.Length; j++)
                {
                    for (int i = 0; i < kernel.Length; i++)
                    {
                        sum += kernel[i] * kernel[j] * At(grey, x + i - 2, y + j - 2);
                    }
                }

                Assert.Equal(sum, blurred[x, y], 0.001f);
            }
        }
    }

    [Fact]
    public void Without_noise()
    {
        PixelAllocator allocator = _allocator;
        CancellationToken cancellation = Token;
        using PixelBuffer<byte> grey = RentNoise();

        #region docs/recipes.md
        using PixelBuffer<byte> smooth = allocator.Rent<byte>(grey.Width, grey.Height);

        smooth.FilterPixelRowsInParallel(
            grey,
            static (band, source) =>
            {
                Span<byte> window = stackalloc byte[9];
                for (int y = 0; y < band.Height; y++)
                {
                    Span<byte> target = band.GetRowSpan(y);
                    for (int x = 0; x < target.Length; x++)
                    {
                        for (int i = 0; i < 9; i++)
                        {
                            window[i] = source.GetRowSpanClamped(band.FirstRow + y + (i / 3) - 1)[Math.Clamp(x + (i % 3) - 1, 0, source.Width - 1)];
                        }

                        window.Sort();
                        target[x] = window[4];
                    }
                }
            },
            cancellationToken: cancellation);
        #endregion

        AssertIs(smooth, (x, y) => Enumerable.Range(0, 9).Select(i => At(grey, x + (i % 3) - 1, y + (i / 3) - 1)).Order().ElementAt(4));
    }

    [Theory]
    [InlineData(Width, Height)]
    [InlineData(64, 48)]
    [InlineData(500, 401)]
    [InlineData(1, 1)]
    public void Resized(int width, int height)
    {
        PixelAllocator allocator = _allocator;
        CancellationToken cancellation = Token;
        using PixelBuffer<byte> grey = RentNoise();

        #region docs/recipes.md
        using PixelBuffer<byte> resized = allocator.Rent<byte>(width, height);

        resized.FilterPixelRowsInParallel(
            grey,
            height,
            static (band, source, height) =>
            {
                float columns = (float)source.Width / band.Width;
                float rows = (float)source.Height / height;
                for (int y = 0; y < band.Height; y++)
                {
                    float place = ((band.FirstRow + y + 0.5f) * rows) - 0.5f;
                    int top = (int)MathF.Floor(place);
                    float down = place - top;
                    ReadOnlySpan<byte> upper = source.GetRowSpanClamped(top);
                    ReadOnlySpan<byte> lower = source.GetRowSpanClamped(top + 1);
                    Span<byte> target = band.GetRowSpan(y);
                    for (int x = 0; x < target.Length; x++)
                    {
                        float column = ((x + 0.5f) * columns) - 0.5f;
                        float across = column - MathF.Floor(column);
                        int left = Math.Max((int)MathF.Floor(column), 0);
                        int right = Math.Min((int)MathF.Floor(column) + 1, source.Width - 1);
                        float above = upper[left] + (across * (upper[right] - upper[left]));
                        float below = lower[left] + (across * (lower[right] - lower[left]));
                        target[x] = (byte)(above + (down * (below - above)) + 0.5f);
                    }
                }
            },
            cancellationToken: cancellation);
        #endregion

        AssertIs(resized, (x, y) =>
        {
            double column = ((x + 0.5) * Width / width) - 0.5;
            double row = ((y + 0.5) * Height / height) - 0.5;
            (int left, int top) = ((int)Math.Floor(column), (int)Math.Floor(row));
            (double across, double down) = (column - left, row - top);
            return (int)((At(grey, left, top) * (1 - across) * (1 - down)) + (At(grey, left + 1, top) * across * (1 - down))
                + (At(grey, left, top + 1) * (1 - across) * down) + (At(grey, left + 1, top + 1) * across * down) + 0.5);
        }, tolerance: 1);
    }

    private static int At(PixelBuffer<byte> image, int x, int y) => image[Math.Clamp(x, 0, image.Width - 1), Math.Clamp(y, 0, image.Height - 1)];

    private static void AssertIs(PixelBuffer<byte> image, Func<int, int, int> expected, int tolerance = 0)
    {
        for (int y = 0; y < image.Height; y++)
        {
            for (int x = 0; x < image.Width; x++)
            {
                int value = expected(x, y);
                Assert.InRange(image[x, y], value - tolerance, value + tolerance);
            }
        }
    }

    private PixelBuffer<byte> RentNoise()
    {
        PixelBuffer<byte> image = _allocator.Rent<byte>(Width, Height);
        var random = new Random(1);
        image.ProcessPixelRows(random, static (rows, random) =>
        {
            foreach (Span<byte> row in rows)
            {
                random.NextBytes(row);
            }
        });
        return image;
    }
}
