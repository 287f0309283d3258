using System.Reflection;

namespace PixelPool.Tests.Documentation;

/// <summary>The snippets of the README and of the package's page, compiled and run. <see cref="SnippetTests"/> compares them with the pages.</summary>
public sealed class ReadmeTests
{
    [Fact]
    public void A_first_example()
    {
        #region README.md
        using PixelBuffer<uint> image = PixelAllocator.Shared.Rent<uint>(4000, 3000);

        image.ProcessPixelRowsInParallel(static band =>
        {
            for (int y = 0; y < band.Height; y++)
            {
                band.GetRowSpan(y).Fill(0xFF000000u | (uint)(band.FirstRow + y));
            }
        });

        Console.WriteLine($"{image}: the last pixel is {image[3999, 2999]:X8}");
        #endregion

        Assert.Contains($"{image}: the last pixel is {image[3999, 2999]:X8}", new MarkdownPage("README.md").Blocks("text"));
        Assert.Equal((262, 12), (image.RowsPerBlock, image.BlockCount)); // docs/how-it-works.md says so
    }

    [Fact]
    public void Options()
    {
        #region README.md
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            Name = "thumbnails",
            MaxPooledBytes = 256L << 20,   // the pool holds at most 256 MiB, rented and idle; images beyond it come from the system
            MaxRentedBytes = 1L << 30,     // the budget, 1 GiB: over it Rent throws, and RentAsync waits
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
