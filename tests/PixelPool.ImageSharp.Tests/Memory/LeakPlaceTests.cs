using System.Runtime.CompilerServices;
using ImageSharp.Tests.Infrastructure;
using PixelPool.Diagnostics;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;

namespace ImageSharp.Tests.Memory;

/// <summary>Reports name the line that called ImageSharp.</summary>
public class LeakPlaceTests
{
    private static readonly byte[] s_file = Pictures.Encode<Rgba32>("png", 300, 300);

    [Fact]
    public void Of_an_image_that_is_held()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        using Image<Rgba32> image = Create(TestConfiguration.With(allocator));
        AssertNames(nameof(Create), Assert.Single(allocator.GetOutstandingRents()));
    }

    [Fact]
    public void Of_a_file_that_was_decoded()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        using Image<Rgba32> image = Load(TestConfiguration.With(allocator));
        AssertNames(nameof(Load), Assert.Single(allocator.GetOutstandingRents()));
    }

    [Fact]
    public void Of_what_an_operation_made()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        using Image<Rgba32> image = Create(TestConfiguration.With(allocator));
        using Image<Rgba32> small = Shrink(image);
        Assert.Contains(allocator.GetOutstandingRents(), static rent => rent.Place!.Contains(nameof(Shrink), StringComparison.Ordinal));
    }

    [Fact]
    public void Of_an_image_that_was_forgotten()
    {
        using PixelAllocator allocator = TestAllocator.Create();
        using LeakTracker tracker = allocator.TrackLeaks();
        Forget(TestConfiguration.With(allocator));
        Collector.CollectAll();
        PixelLeakException leaks = Assert.Throws<PixelLeakException>(tracker.AssertNone);
        Assert.Contains(nameof(Forget), leaks.Message, StringComparison.Ordinal);
        Assert.Equal(1, allocator.GetStatistics().LeakedCount);
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    private static void AssertNames(string method, RentRecord rent)
    {
        Assert.StartsWith($"{typeof(LeakPlaceTests).FullName}.{method} in ", rent.Place, StringComparison.Ordinal);
        Assert.DoesNotContain("SixLabors", rent.StackText, StringComparison.Ordinal);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(Configuration configuration) => _ = new Image<Rgba32>(configuration, 800, 800).Width;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Image<Rgba32> Create(Configuration configuration)
    {
        var image = new Image<Rgba32>(configuration, 600, 600);
        image[0, 0] = default;
        return image;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Image<Rgba32> Load(Configuration configuration)
    {
        // The call itself, not one of a helper: it is what reports are to name.
#if IMAGESHARP_3
        Image<Rgba32> image = Image.Load<Rgba32>(new SixLabors.ImageSharp.Formats.DecoderOptions { Configuration = configuration }, s_file);
#else
        Image<Rgba32> image = Image.Load<Rgba32>(configuration, s_file);
#endif
        image[0, 0] = default;
        return image;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Image<Rgba32> Shrink(Image<Rgba32> image)
    {
        Image<Rgba32> small = image.Clone(static image => image.Resize(100, 100));
        small[0, 0] = default;
        return small;
    }
}
