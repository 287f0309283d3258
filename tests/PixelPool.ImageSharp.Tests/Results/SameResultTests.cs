using System.Collections.Concurrent;
using ImageSharp.Tests.Infrastructure;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;
using SixLabors.ImageSharp.Processing.Processors.Quantization;

namespace ImageSharp.Tests.Results;

/// <summary>Whatever ImageSharp does with it, the bytes are those that its own allocator leads to.</summary>
public class SameResultTests
{
    private static readonly Dictionary<string, Action<IImageProcessingContext>> s_operations = new()
    {
        ["resize"] = static image => image.Resize(333, 217),
        ["enlarge"] = static image => image.Resize(1500, 0),
        ["blur"] = static image => image.GaussianBlur(4),
        ["rotate by 90"] = static image => image.Rotate(RotateMode.Rotate90),
        ["rotate by 17"] = static image => image.Rotate(17),
        ["flip"] = static image => image.Flip(FlipMode.Vertical),
        ["crop"] = static image => image.Crop(new Rectangle(5, 7, 700, 300)),
        ["quantise"] = static image => image.Quantize(new WuQuantizer(new QuantizerOptions { MaxColors = 16 })),
        ["octree"] = static image => image.Quantize(KnownQuantizers.Octree),
        ["equalise"] = static image => image.HistogramEqualization(),
        ["edges"] = static image => image.DetectEdges(),
        ["dither"] = static image => image.BinaryDither(KnownDitherings.FloydSteinberg),
        ["entropy crop"] = static image => image.EntropyCrop(),
    };

    private static readonly ConcurrentDictionary<string, Lazy<byte[]>> s_files = new();
    private static readonly ConcurrentDictionary<string, Lazy<byte[]>> s_expected = new();

    public static TheoryData<string, MemoryKind> Operations => Combine(s_operations.Keys);

    public static TheoryData<string, MemoryKind> Formats => Combine(Pictures.Encoders.Keys);

    [Theory]
    [MemberData(nameof(Operations))]
    public void Operation(string name, MemoryKind kind)
    {
        using PixelAllocator allocator = TestAllocator.Create(kind);
        Assert.True(Expected(name).AsSpan().SequenceEqual(Apply(TestConfiguration.With(allocator), name)));
        Assert.NotEqual(0, allocator.GetStatistics().Rents);
        TestAllocator.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void Decoding_resizing_and_encoding(string format, MemoryKind kind)
    {
        using PixelAllocator allocator = TestAllocator.Create(kind);
        byte[] file = s_files.GetOrAdd(format, static format => new Lazy<byte[]>(() => Pictures.Encode<Rgba32>(format, 801, 603))).Value;
        Assert.True(ExpectedFile(format, file).AsSpan().SequenceEqual(Shrink(TestConfiguration.With(allocator), format, file)));
        Assert.NotEqual(0, allocator.GetStatistics().Rents);
        TestAllocator.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(TestAllocator.Kinds), MemberType = typeof(TestAllocator))]
    public void Animated_gif(MemoryKind kind)
    {
        using PixelAllocator allocator = TestAllocator.Create(kind);
        Configuration own = TestConfiguration.OfImageSharp();
        Configuration pooled = TestConfiguration.With(allocator);
        byte[] file = Pictures.AnimatedGif(own, 341, 279, frames: 5);
        Assert.Equal(file, Pictures.AnimatedGif(pooled, 341, 279, frames: 5));
        using (Image<Rgba32> expected = Pictures.Decode<Rgba32>(own, file))
        using (Image<Rgba32> actual = Pictures.Decode<Rgba32>(pooled, file))
        {
            Assert.Equal(5, actual.Frames.Count);
            Assert.Equal(Pictures.PixelsOf(expected), Pictures.PixelsOf(actual));
            actual.Mutate(static image => image.Resize(300, 0));
            expected.Mutate(static image => image.Resize(300, 0));
            Assert.Equal(Pictures.PixelsOf(expected), Pictures.PixelsOf(actual));
        }

        TestAllocator.AssertQuiet(allocator);
    }

    // Once for all kinds of memory.
    private static byte[] Expected(string name) =>
        s_expected.GetOrAdd(name, static name => new Lazy<byte[]>(() => Apply(TestConfiguration.OfImageSharp(), name))).Value;

    private static byte[] ExpectedFile(string format, byte[] file) =>
        s_expected.GetOrAdd(format, format => new Lazy<byte[]>(() => Shrink(TestConfiguration.OfImageSharp(), format, file))).Value;

    private static byte[] Apply(Configuration configuration, string name)
    {
        using Image<Rgba32> image = Pictures.Draw<Rgba32>(configuration, 827, 411);
        image.Mutate(s_operations[name]);
        return Pictures.PixelsOf(image);
    }

    private static byte[] Shrink(Configuration configuration, string format, byte[] file)
    {
        using Image<Rgba32> image = Pictures.Decode<Rgba32>(configuration, file);
        image.Mutate(static image => image.Resize(400, 0));
        return Pictures.Encode(image, format);
    }

    private static TheoryData<string, MemoryKind> Combine(IEnumerable<string> names)
    {
        var data = new TheoryData<string, MemoryKind>();
        foreach (string name in names)
        {
            foreach (MemoryKind kind in Enum.GetValues<MemoryKind>())
            {
                data.Add(name, kind);
            }
        }

        return data;
    }
}
