using System.Buffers;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using ImageSharp.Tests.Infrastructure;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;
using ImageSharpOptions = SixLabors.ImageSharp.Memory.AllocationOptions;

namespace ImageSharp.Tests.Memory;

/// <summary>What is rented, what it costs, and when it ends.</summary>
public class LifetimeTests
{
    [Theory]
    [InlineData(100, 100)]
    [InlineData(1000, 1000)]
    [InlineData(4096, 4096)]
    public void An_image_is_one_contiguous_rent(int width, int height)
    {
        using PixelAllocator allocator = TestAllocator.Create();
        using (var image = new Image<Rgba32>(TestConfiguration.With(allocator), width, height))
        {
            Assert.Single(allocator.GetOutstandingRents());
            Assert.True(image.DangerousTryGetSinglePixelMemory(out Memory<Rgba32> pixels));
            Assert.Equal(width * height, pixels.Length);
        }

        TestAllocator.AssertQuiet(allocator);
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(1 << 20)]
    [InlineData(16 << 20)]
    public void A_rent_is_one_object_of_48_bytes(int length)
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        var memory = new PixelPoolMemoryAllocator(allocator);
        AllocationMeter.AssertAllocates(48, () => memory.Allocate<byte>(length).Dispose());
    }

    [Theory]
    [MemberData(nameof(TestAllocator.Kinds), MemberType = typeof(TestAllocator))]
    public void Clean_is_zero_and_other_memory_may_be_anything(MemoryKind kind)
    {
        using PixelAllocator allocator = TestAllocator.Create(kind);
        var memory = new PixelPoolMemoryAllocator(allocator);
        foreach (int length in (int[])[1, 1000, 70_000, 1 << 20, 5 << 20])
        {
            for (int i = 0; i < 3; i++)
            {
                using (IMemoryOwner<long> dirty = memory.Allocate<long>(length))
                {
                    dirty.Memory.Span.Fill(-1);
                }

                using IMemoryOwner<long> clean = memory.Allocate<long>(length, ImageSharpOptions.Clean);
                Assert.False(clean.Memory.Span.ContainsAnyExcept(0));
            }
        }

        TestAllocator.AssertQuiet(allocator);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(1_000_000)]
    public void Use_after_disposal_is_found(int length)
    {
        using PixelAllocator allocator = TestAllocator.Create();
        IMemoryOwner<Rgba32> owner = new PixelPoolMemoryAllocator(allocator).Allocate<Rgba32>(length);
        Memory<Rgba32> memory = owner.Memory;
        owner.Dispose();
        owner.Dispose();
        using IMemoryOwner<Rgba32> next = new PixelPoolMemoryAllocator(allocator).Allocate<Rgba32>(length);
        Assert.Throws<ObjectDisposedException>(() => owner.Memory);
        Assert.Throws<ObjectDisposedException>(() => memory.Span[0]);
        Assert.Throws<ObjectDisposedException>(() => memory.Pin());
    }

    [Fact]
    public void Pixels_of_an_image_that_was_disposed_are_not_reached()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        var image = new Image<Rgba32>(TestConfiguration.With(allocator), 1000, 1000);
        Assert.True(image.DangerousTryGetSinglePixelMemory(out Memory<Rgba32> pixels));
        image.Dispose();
        Assert.ThrowsAny<InvalidOperationException>(() => pixels.Span[0]);
        Assert.Throws<ObjectDisposedException>(() => image[0, 0]);
        TestAllocator.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(TestAllocator.Kinds), MemberType = typeof(TestAllocator))]
    public void Images_disposed_half_way_and_truncated_files_lose_nothing(MemoryKind kind)
    {
        using PixelAllocator allocator = TestAllocator.Create(kind);
        Configuration zeroed = TestConfiguration.With(new ZeroedMemory());
        Configuration pooled = TestConfiguration.With(allocator);
        foreach (string format in Pictures.Encoders.Keys)
        {
            byte[] file = Pictures.Encode<Rgba32>(format, 500, 400);
            for (int percent = 5; percent < 100; percent += 19)
            {
                // What was not in the file is what was in the memory before, and decides what is thrown: with ImageSharp's own allocator, too.
                byte[] part = file[..(file.Length * percent / 100)];
                string outcome = Decode(pooled, part);
                if (kind == MemoryKind.Zeroed)
                {
                    Assert.Equal(Decode(zeroed, part), outcome);
                }
            }

            Assert.Throws<ObjectDisposedException>(() => DisposeHalfWay(pooled, file));
        }

        Collector.CollectAll();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void ReleaseRetainedResources_gives_idle_memory_back()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        var memory = new PixelPoolMemoryAllocator(allocator);
        new Image<Rgba32>(TestConfiguration.With(memory), 4000, 3000).Dispose();
        Assert.NotEqual(0, allocator.GetStatistics().IdleBytes);
        memory.ReleaseRetainedResources();
        Assert.Equal((0, 0), (allocator.GetStatistics().IdleBytes, allocator.GetStatistics().RentedBytes));
        using var next = new Image<Rgba32>(TestConfiguration.With(memory), 4000, 3000);
        memory.ReleaseRetainedResources();
        next[3999, 2999] = default;
    }

    [Fact]
    public void A_forgotten_image_of_more_than_1_GiB_is_returned_with_all_of_its_pieces()
    {
        Assert.SkipUnless(Environment.Is64BitProcess, "ImageSharp refuses it.");
        using PixelAllocator allocator = TestAllocator.Create();
        Forget(TestConfiguration.With(allocator), 16384, 32768);
        Collector.CollectAll();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0, 2, 2L << 30), (statistics.RentedBytes, statistics.LeakedCount, statistics.LeakedBytes));
    }

    [Fact]
    public void A_scope_returns_what_ImageSharp_still_holds()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        Image<Rgba32> image;
        using (var scope = new RentScope(allocator) { Tag = "an operation" })
        {
            image = new Image<Rgba32>(TestConfiguration.With(new PixelPoolMemoryAllocator(scope)), 1000, 1000);
            Assert.Equal("an operation", Assert.Single(allocator.GetOutstandingRents()).Tag);
        }

        TestAllocator.AssertQuiet(allocator);
        Assert.Throws<ObjectDisposedException>(() => image[0, 0]);
        image.Dispose();
        TestAllocator.AssertQuiet(allocator);
    }

    [Fact]
    public void It_says_whose_memory_it_is()
    {
        using PixelAllocator allocator = TestAllocator.Create(change: static options => options.Name = "thumbnails");
        Assert.StartsWith("ImageSharp's memory from thumbnails: ", new PixelPoolMemoryAllocator(allocator).ToString(), StringComparison.Ordinal);
    }

    // The pixels, or what went wrong.
    private static string Decode(Configuration configuration, byte[] file)
    {
        try
        {
            using Image<Rgba32> image = Pictures.Decode<Rgba32>(configuration, file);
            return Convert.ToHexString(SHA256.HashData(Pictures.PixelsOf(image)));
        }
        catch (Exception e) when (e is ImageFormatException or InvalidOperationException or IOException or ArgumentException or IndexOutOfRangeException)
        {
            return e.GetType().Name;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(Configuration configuration, int width, int height) => GC.KeepAlive(new Image<Rgba32>(configuration, width, height));

    private static void DisposeHalfWay(Configuration configuration, byte[] file)
    {
        Image<Rgba32> image = Pictures.Decode<Rgba32>(configuration, file);
        image.Mutate(half =>
        {
            half.Resize(200, 100);
            image.Dispose();
            half.GaussianBlur();
        });
    }
}
