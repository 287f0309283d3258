using System.Buffers;
using ImageSharp.Tests.Infrastructure;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.Memory;
using SixLabors.ImageSharp.PixelFormats;
using ImageSharpException = SixLabors.ImageSharp.Memory.InvalidMemoryOperationException;

namespace ImageSharp.Tests.Memory;

/// <summary>Sizes that are refused, with the exceptions that ImageSharp's callers expect.</summary>
public class LimitTests
{
    private const int GiB = 1 << 30;

    private readonly record struct WithReference(string Text);

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(int.MaxValue)]
    [InlineData((GiB / 4) + 1)]
    public void Sizes_are_refused_as_ImageSharp_does(int length)
    {
        using PixelAllocator allocator = TestAllocator.Create();
        Assert.Throws<ImageSharpException>(() => MemoryAllocator.Create().Allocate<Rgba32>(length));
        Assert.Throws<ImageSharpException>(() => new PixelPoolMemoryAllocator(allocator).Allocate<Rgba32>(length));
        Assert.Equal(0, allocator.GetStatistics().Rents);
    }

    [Theory]
    [InlineData(65_535, 65_535)]
    [InlineData(int.MaxValue, 2)]
    [InlineData(1, int.MaxValue)]
    public void Images_are_refused_as_ImageSharp_does(int width, int height)
    {
        using PixelAllocator allocator = TestAllocator.Create(change: static options => options.MaxRentedBytes = 16 << 20);
        Exception expected = Assert.ThrowsAny<Exception>(() => new Image<Rgba64>(TestConfiguration.OfImageSharp(), width, height));
        Exception actual = Assert.ThrowsAny<Exception>(() => new Image<Rgba64>(TestConfiguration.With(allocator), width, height));
        Assert.Equal(expected.GetType(), actual.GetType());
        TestAllocator.AssertQuiet(allocator);
    }

    [Fact]
    public void The_largest_buffer_is_got_and_usable()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        using (IMemoryOwner<byte> owner = new PixelPoolMemoryAllocator(allocator).Allocate<byte>(GiB))
        {
            owner.Memory.Span[^1] = 1;
            Assert.Equal(GiB, owner.Memory.Length);
        }

        TestAllocator.AssertQuiet(allocator);
    }

    [Fact]
    public void No_elements_are_a_buffer_like_any_other()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        using (IMemoryOwner<int> owner = new PixelPoolMemoryAllocator(allocator).Allocate<int>(0))
        {
            Assert.True(owner.Memory.Span.IsEmpty);
        }

        TestAllocator.AssertQuiet(allocator);
    }

    [Fact]
    public void A_limit_refuses_images_and_buffers_above_it()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        var memory = new PixelPoolMemoryAllocator(allocator, maxRequestBytes: 4_000_000);
        Configuration configuration = TestConfiguration.With(memory);
        Assert.Equal(4_000_000, memory.MaxRequestBytes);
        new Image<Rgba32>(configuration, 1000, 1000).Dispose();
        memory.Allocate<byte>(4_000_000).Dispose();
        Assert.Throws<ImageSharpException>(() => memory.Allocate<byte>(4_000_001));
        Assert.Throws<ImageSharpException>(() => new Image<Rgba32>(configuration, 1000, 1001));
        Assert.Throws<ImageSharpException>(() => new Image<Rgba32>(configuration, 20_000, 30_000));
        TestAllocator.AssertQuiet(allocator);
    }

    [Fact]
    public void A_limit_of_exactly_1_GiB_gives_that_much_and_no_more()
    {
        Assert.SkipUnless(Environment.Is64BitProcess, "ImageSharp refuses it.");
        using PixelAllocator allocator = TestAllocator.Create();
        var memory = new PixelPoolMemoryAllocator(allocator, maxRequestBytes: GiB);
        Assert.Equal(GiB, memory.MaxRequestBytes);
        memory.Allocate<byte>(GiB).Dispose();
        new Image<Rgba32>(TestConfiguration.With(memory), 16384, 16384).Dispose();
        Assert.Throws<ImageSharpException>(() => memory.Allocate<short>((GiB / 2) + 1));

        // It is not divided.
        Assert.Throws<ImageSharpException>(() => new Image<Rgba32>(TestConfiguration.With(memory), 16384, 16385));
        TestAllocator.AssertQuiet(allocator);
    }

    [Fact]
    public void A_file_above_the_limit_is_invalid_content()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        Configuration configuration = TestConfiguration.With(new PixelPoolMemoryAllocator(allocator, maxRequestBytes: 1_000_000));
        byte[] file = Pictures.Encode<Rgba32>("png", 1000, 1000);
        Assert.Throws<InvalidImageContentException>(() => Pictures.Decode<Rgba32>(configuration, file));
        Collector.CollectAll();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void References_are_refused()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        Assert.Throws<ArgumentException>(() => new PixelPoolMemoryAllocator(allocator).Allocate<WithReference>(10));
        TestAllocator.AssertQuiet(allocator);
    }

    [Fact]
    public void Bad_arguments_are_refused()
    {
        Assert.Throws<ArgumentNullException>(() => new PixelPoolMemoryAllocator((PixelAllocator)null!));
        Assert.Throws<ArgumentNullException>(() => new PixelPoolMemoryAllocator((RentScope)null!));
        Assert.Throws<ArgumentNullException>(() => new PixelPoolMemoryAllocator((RentScope)null!, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PixelPoolMemoryAllocator(PixelAllocator.Shared, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PixelPoolMemoryAllocator(PixelAllocator.Shared, int.MaxValue));
        Assert.Same(PixelAllocator.Shared, new PixelPoolMemoryAllocator().Allocator);
    }

    [Fact]
    public void An_allocator_that_was_disposed_says_so()
    {
        PixelAllocator allocator = TestAllocator.Create();
        var memory = new PixelPoolMemoryAllocator(allocator);
        allocator.Dispose();
        Assert.Throws<ObjectDisposedException>(() => memory.Allocate<int>(10));
    }
}
