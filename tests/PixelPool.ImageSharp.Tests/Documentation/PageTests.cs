using ImageSharp.Tests.Infrastructure;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.Memory;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;

namespace ImageSharp.Tests.Documentation;

/// <summary>The snippets of <c>docs/imagesharp.md</c> and of the package's page, compiled and run.</summary>
public sealed class PageTests : IDisposable
{
    private readonly MemoryAllocator _before = Configuration.Default.MemoryAllocator;

    public void Dispose() => Configuration.Default.MemoryAllocator = _before;

    [Fact]
    public void Plugging_in()
    {
        #region docs/imagesharp.md
        Configuration.Default.MemoryAllocator = new PixelPoolMemoryAllocator();
        #endregion

        AssertHolds(PixelAllocator.Shared, Configuration.Default);
    }

    [Fact]
    public void An_allocator_of_its_own()
    {
        #region docs/imagesharp.md
        PixelAllocator allocator = PixelAllocator.Create(PixelAllocatorOptions.ForContainer());
        Configuration uploads = Configuration.Default.Clone();
        uploads.MemoryAllocator = new PixelPoolMemoryAllocator(allocator, maxRequestBytes: 200 << 20);
        #endregion

        AssertHolds(allocator, uploads);
        allocator.Dispose();
    }

    [Fact]
    public async Task An_operation_with_a_reservation()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 128 << 20 });
        byte[] file = Pictures.ProgressiveJpeg();
        (int width, int height) = (3000, 2000);
        CancellationToken aborted = TestContext.Current.CancellationToken;

        #region docs/imagesharp.md
        // The photo, what it is rotated into, and some buffers; or the coefficients of a progressive JPEG, and the photo.
        long bytes = (3 * allocator.GetHeldBytes<Rgba32>(width, height, PixelPool.AllocationOptions.Contiguous)) + (8 << 20);
        using RentScope request = await allocator.ReserveScopeAsync(bytes, aborted);
        Configuration rotation = Configuration.Default.Clone();
        rotation.MemoryAllocator = new PixelPoolMemoryAllocator(request);
        #endregion

        using Image<Rgba32> photo = Pictures.Decode<Rgba32>(rotation, file);
        photo.Mutate(static image => image.Rotate(RotateMode.Rotate90));
        Assert.Equal((2000, 3000), (photo.Width, photo.Height));
        Assert.Equal(bytes, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public void One_line_of_the_package()
    {
        #region ImageSharp/PACKAGE.md
        Configuration.Default.MemoryAllocator = new PixelPoolMemoryAllocator();
        #endregion

        AssertHolds(PixelAllocator.Shared, Configuration.Default);
    }

    [Fact]
    public void A_budget_of_the_package()
    {
        #region ImageSharp/PACKAGE.md
        PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 300 << 20, RentTimeout = TimeSpan.FromSeconds(30) });
        Configuration.Default.MemoryAllocator = new PixelPoolMemoryAllocator(allocator);
        #endregion

        AssertHolds(allocator, Configuration.Default);
        Configuration.Default.MemoryAllocator = _before;
        allocator.Dispose();
    }

    private static void AssertHolds(PixelAllocator allocator, Configuration configuration)
    {
        long before = allocator.GetStatistics().Rents;
        using var image = new Image<Rgba32>(configuration, 1200, 1000);
        Assert.Equal(before + 1, allocator.GetStatistics().Rents);
    }
}
