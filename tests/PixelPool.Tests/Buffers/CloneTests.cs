using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers;

public class CloneTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Clone_has_the_pixels_and_memory_of_its_own(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        PixelPattern.Write(image);
        PixelBuffer<uint> clone = image.Clone();
        Assert.Equal((image.Width, image.Height, image.IsContiguous), (clone.Width, clone.Height, clone.IsContiguous));
        PixelPattern.AssertHolds(clone);
        image.Fill(0);
        PixelPattern.AssertHolds(clone);
        image.Dispose();
        PixelPattern.AssertHolds(clone);
        clone.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Clone_of_a_view_is_as_large_as_the_view()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100, AllocationOptions.Clean);
        image[30, 40] = 7;
        using PixelBuffer<uint> view = image.View(20, 30, 50, 60);
        using PixelBuffer<uint> clone = view.Clone();
        Assert.Equal((50, 60), (clone.Width, clone.Height));
        Assert.Equal(7u, clone[10, 10]);
    }

    [Fact]
    public void Clone_of_a_chroma_plane_belongs_to_the_same_picture()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        using PixelBuffer<byte> luma = allocator.Rent<byte>(20, 21);
        using PixelBuffer<byte> chroma = allocator.Rent<byte>(10, 11, AllocationOptions.Clean);
        using PixelBuffer<byte> plane = chroma.AsSubsampledPlane(2);
        using PixelBuffer<byte> clone = plane.Clone();
        int rows = 0;
        luma.ProcessPixelRowsInParallel(clone, (_, pixels) => Interlocked.Add(ref rows, pixels.Height));
        Assert.Equal(11, rows);
    }

    [Fact]
    public void Clone_of_wrapped_memory_is_rented()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        uint[] pixels = [1, 2, 3, 4];
        using PixelBuffer<uint> wrapped = allocator.Wrap<uint>(pixels.AsMemory(), 2, 2);
        using PixelBuffer<uint> clone = wrapped.Clone();
        pixels[3] = 9;
        Assert.Equal(4u, clone[1, 1]);
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Clone_that_the_budget_refuses_leaves_nothing_behind()
    {
        using var system = new TestSystem();
        PixelAllocatorOptions options = system.Options();
        options.MaxRentedBytes = TestSystem.BlockBytes;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
        Assert.Throws<PixelBudgetExceededException>(() => image.Clone());
        Assert.Equal(TestSystem.BlockBytes, allocator.GetStatistics().ChargedBytes);
        image.Fill(1);
    }

    [Fact]
    public void Clone_needs_an_allocator_that_rents()
    {
        using var system = new TestSystem();
        PixelAllocator allocator = system.CreateAllocator();
        using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
        allocator.Dispose();
        Assert.Throws<ObjectDisposedException>(() => image.Clone());
        image.Fill(1);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Pixels_are_copied_from_another_image(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<uint> source = TierSizes.Rent<uint>(allocator, tier);
        using PixelBuffer<uint> target = allocator.Rent<uint>(source.Width, source.Height);
        PixelPattern.Write(source);
        target.CopyFrom(source);
        PixelPattern.AssertHolds(target);
        using PixelBuffer<uint> other = allocator.Rent<uint>(source.Width, source.Height + 1);
        Assert.Throws<ArgumentException>(() => other.CopyFrom(source));
        Assert.Throws<ArgumentNullException>(() => other.CopyFrom((PixelBuffer<uint>)null!));
    }
}
