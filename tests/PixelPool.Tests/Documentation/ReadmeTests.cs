using System.Reflection;

namespace PixelPool.Tests.Documentation;

/// <summary>The snippets of the README and of the package's page, compiled and run. <see cref="SnippetTests"/> compares them with the pages.</summary>
public sealed class ReadmeTests
{
    [Fact]
    public void A_first_example()
    {
        #region README.md
        using PixelAllocator allocator = PixelAllocator.Create();
        using PixelBuffer<uint> image = allocator.Rent<uint>(4000, 3000, AllocationOptions.Clean);

        image.ProcessPixelRows(static accessor =>
        {
            for (int y = 0; y < accessor.Height; y++)
            {
                Span<uint> row = accessor.GetRowSpan(y);
                row.Fill(0xFF000000u | (uint)y);
            }
        });

        Console.WriteLine($"{image}: the last pixel is {image[3999, 2999]:X8}");
        #endregion

        Assert.Equal(0xFF000000u | 2999, image[3999, 2999]);
        Assert.Equal((262, 12), (image.RowsPerBlock, image.BlockCount)); // "How it works" says so
    }

    [Fact]
    public void State_images_and_bands()
    {
        using PixelAllocator allocator = PixelAllocator.Create();

        #region README.md
        using PixelBuffer<byte> grey = allocator.Rent<byte>(1920, 1080, AllocationOptions.Clean);
        using PixelBuffer<float> linear = allocator.Rent<float>(1920, 1080);

        grey.ProcessPixelRows(linear, 1 / 255f, static (from, to, scale) =>
        {
            for (int y = 0; y < from.Height; y++)
            {
                Span<byte> source = from.GetRowSpan(y);
                Span<float> target = to.GetRowSpan(y);
                for (int x = 0; x < source.Length; x++)
                {
                    target[x] = source[x] * scale;
                }
            }
        });

        linear.ProcessPixelRowsInParallel(static band =>
        {
            foreach (Span<float> row in band)
            {
                row.Reverse();
            }
        });
        #endregion

        Assert.Equal(0f, linear[0, 0]);
    }

    [Fact]
    public void Contiguous_and_pinned()
    {
        using PixelAllocator allocator = PixelAllocator.Create();

        #region README.md
        using PixelBuffer<uint> frame = allocator.Rent<uint>(1920, 1080, AllocationOptions.Contiguous);
        using PinnedPixels pixels = frame.Pin();

        NativeDecoder.Decode(pixels.Address, pixels.Width, pixels.Height, pixels.Stride);
        #endregion

        Assert.Equal(uint.MaxValue, frame[1919, 1079]);
    }

    [Fact]
    public void A_lease()
    {
        using PixelAllocator allocator = PixelAllocator.Create();

        #region README.md
        using PixelLease<uint> tile = allocator.Lease<uint>(512, 512);
        tile.ProcessPixelRows(0xFFFFFFFFu, static (rows, white) =>
        {
            foreach (Span<uint> row in rows)
            {
                row.Fill(white);
            }
        });
        #endregion

        tile.ProcessPixelRows(static rows => Assert.Equal(uint.MaxValue, rows.GetRowSpan(511)[511]));
    }

    [Fact]
    public void A_scope()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        UseScope(allocator);
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);

        static void UseScope(PixelAllocator allocator)
        {
            #region README.md
            using var scope = new RentScope(allocator);
            PixelBuffer<uint> source = scope.Rent<uint>(4000, 3000);
            PixelBuffer<uint> target = scope.Rent<uint>(400, 300);
            Memory<byte> file = scope.Allocate<byte>(100_000).Memory;
            #endregion

            Assert.Equal((4000, 400, 100_000), (source.Width, target.Width, file.Length));
        }
    }

    [Fact]
    public void Options()
    {
        #region README.md
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            Name = "thumbnails",
            MaxPooledBytes = 256L << 20,   // what the pool keeps, rented and idle
            MaxRentedBytes = 1L << 30,     // the budget: over it, Rent throws, RentAsync waits
            RowAlignmentBytes = 64,        // every row starts on a cache line
            TrimPolicy = TrimPolicy.Demand,
        });
        #endregion

        Assert.False(allocator.TryRent<byte>(1 << 20, 1 << 11, out _));
        Assert.StartsWith("thumbnails: ", allocator.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Leaks_are_told()
    {
        using PixelAllocator allocator = PixelAllocator.Create();

        #region README.md
        allocator.Leaked += static (_, leaked) => Console.WriteLine($"forgotten: {leaked.Rent}");
        #endregion

        // MemoryPageTests see what it prints.
        Assert.NotNull(typeof(PixelAllocator).GetField(nameof(PixelAllocator.Leaked), BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(allocator));
    }

    [Fact]
    public void The_page_of_the_package()
    {
        #region PACKAGE.md
        using PixelBuffer<uint> image = PixelAllocator.Shared.Rent<uint>(4000, 3000, AllocationOptions.Clean);

        image.ProcessPixelRows(static accessor =>
        {
            for (int y = 0; y < accessor.Height; y++)
            {
                Span<uint> row = accessor.GetRowSpan(y);
                row.Fill(0xFF000000u | (uint)y);
            }
        });

        Console.WriteLine(PixelAllocator.Shared.GetStatistics());
        #endregion

        Assert.Equal(0xFF000000u | 1, image[0, 1]);
    }
}
