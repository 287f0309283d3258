using ImageSharp.Tests.Infrastructure;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.Memory;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;

namespace ImageSharp.Tests.Memory;

/// <summary>What a budget refuses leaves nothing charged, wherever in an image or an operation it was refused.</summary>
public class BudgetTests
{
    private const int MiB = 1 << 20;

    [Fact]
    public void An_image_that_does_not_fit_leaves_nothing()
    {
        using PixelAllocator allocator = WithBudget(16 * MiB);
        Configuration configuration = TestConfiguration.With(allocator);
        Assert.Throws<PixelBudgetExceededException>(() => new Image<Rgba32>(configuration, 4096, 4096));
        TestAllocator.AssertQuiet(allocator);
        using var image = new Image<Rgba32>(configuration, 2048, 2048);
        Assert.Equal(16 * MiB, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public void Nor_does_one_of_several_pieces()
    {
        Assert.SkipUnless(Environment.Is64BitProcess, "ImageSharp refuses it.");
        using PixelAllocator allocator = WithBudget(1536L * MiB);
        Configuration configuration = TestConfiguration.With(allocator);
        using var other = new Image<Rgba32>(configuration, 1024, 1024);

        // Two pieces of 1 GiB. Nothing writes to the first one, so it holds no memory.
        Assert.Throws<PixelBudgetExceededException>(() => new Image<Rgba32>(configuration, 16384, 32768));
        Assert.Equal(4 * MiB, allocator.GetStatistics().ChargedBytes);
        other[1000, 1000] = new Rgba32(1, 2, 3, 4);
        Assert.Equal(new Rgba32(1, 2, 3, 4), other[1000, 1000]);
    }

    [Fact]
    public void Nor_does_one_whose_last_piece_is_small()
    {
        Assert.SkipUnless(Environment.Is64BitProcess, "ImageSharp refuses it.");
        using PixelAllocator allocator = WithBudget(1026L * MiB);
        Assert.Throws<PixelBudgetExceededException>(() => new Image<Rgba32>(TestConfiguration.With(allocator), 16384, 16384 + 100));
        TestAllocator.AssertQuiet(allocator);
    }

    [Fact]
    public void A_refused_image_takes_no_image_before_it_along()
    {
        Assert.SkipUnless(Environment.Is64BitProcess, "ImageSharp refuses it.");
        using PixelAllocator allocator = WithBudget(1600L * MiB);
        var memory = new PixelPoolMemoryAllocator(allocator);
        using Buffer2D<Rgba32> large = memory.Allocate2D<Rgba32>(16384, 16384);
        Assert.Throws<PixelBudgetExceededException>(() => memory.Allocate2D<Rgba32>(16384, 16384));
        Assert.Throws<PixelBudgetExceededException>(() => memory.Allocate2D<Rgba32>(16384, 12288));
        large[16383, 16383] = new Rgba32(1, 2, 3, 4);
        Assert.Equal(1024 * MiB, allocator.GetStatistics().ChargedBytes);
    }

    [Fact]
    public void A_refused_buffer_takes_no_image_before_it_along()
    {
        Assert.SkipUnless(Environment.Is64BitProcess, "ImageSharp refuses it.");
        using PixelAllocator allocator = WithBudget(1600L * MiB);
        var memory = new PixelPoolMemoryAllocator(allocator);
        using Buffer2D<Rgba32> large = memory.Allocate2D<Rgba32>(16384, 16384);
        Assert.Throws<PixelBudgetExceededException>(() => memory.Allocate<Rgba32>(200 * MiB));
        Assert.Throws<PixelBudgetExceededException>(() => memory.Allocate<Rgba32>(160 * MiB));
        large[16383, 16383] = new Rgba32(1, 2, 3, 4);
        Assert.Equal(1024 * MiB, allocator.GetStatistics().ChargedBytes);
    }

    [Theory]
    [MemberData(nameof(Pictures.Formats), MemberType = typeof(Pictures))]
    public void Decoders_that_are_refused_something_return_the_rest(string format)
    {
        byte[] file = Pictures.Encode<Rgba32>(format, 500, 400);
        int refused = 0;
        for (int budget = 64 << 10; budget < 12 * MiB; budget += budget / 3)
        {
            using PixelAllocator allocator = WithBudget(budget);
            Configuration configuration = TestConfiguration.With(allocator);
            try
            {
                using Image<Rgba32> image = Pictures.Decode<Rgba32>(configuration, file);
                image.Mutate(static image => image.Resize(150, 100));
            }
            catch (PixelBudgetExceededException)
            {
                refused++;
            }
            catch (NullReferenceException) when (format == "jpeg")
            {
                // ImageSharp disposes components that it never made when one of them is refused: its exception takes the place of the refusal. Which buffer is the one
                // that is refused depends on where arrays lie, as some of them need a longer one.
                refused++;
            }

            AssertReturnedOrForgotten(allocator);
        }

        Assert.NotEqual(0, refused);
    }

    [Fact]
    public async Task Operations_that_need_two_images_and_reserve_them_do_not_wait_for_each_other()
    {
        using PixelAllocator allocator = WithBudget(64 * MiB);
        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(
            async () =>
            {
                using RentScope scope = await allocator.ReserveScopeAsync(56 * MiB, TestContext.Current.CancellationToken);
                using var image = new Image<Rgba32>(TestConfiguration.With(new PixelPoolMemoryAllocator(scope)), 3072, 2048);
                image.Mutate(static image => image.Rotate(RotateMode.Rotate90));
            },
            TestContext.Current.CancellationToken)));
        AssertReturnedOrForgotten(allocator);
    }

    [Fact]
    public void What_exceeds_the_reservation_is_refused_and_leaves_the_rest()
    {
        using PixelAllocator allocator = WithBudget(64 * MiB);
        using RentScope scope = allocator.ReserveScope(24 * MiB);
        Configuration configuration = TestConfiguration.With(new PixelPoolMemoryAllocator(scope));
        using var image = new Image<Rgba32>(configuration, 2048, 2048);
        Assert.Throws<PixelBudgetExceededException>(() => new Image<Rgba32>(configuration, 2048, 2048));
        Assert.Equal(16 * MiB, scope.ChargedBytes);
    }

    // ImageSharp itself forgets some buffers when it is interrupted by an exception: those a collection finds.
    private static void AssertReturnedOrForgotten(PixelAllocator allocator)
    {
        if (allocator.GetStatistics().RentedBytes != 0)
        {
            Collector.CollectAll();
        }

        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 0), (statistics.RentedBytes, statistics.ChargedBytes));
    }

    private static PixelAllocator WithBudget(long bytes) => TestAllocator.Create(change: options => options.MaxRentedBytes = bytes);
}
