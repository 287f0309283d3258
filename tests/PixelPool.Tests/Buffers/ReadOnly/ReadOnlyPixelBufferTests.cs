using System.Buffers;
using System.Reflection;
using System.Runtime.InteropServices;

namespace PixelPool.Tests.Buffers.ReadOnly;

/// <summary>A buffer under a type that cannot write has what can be read of it, and ends with it.</summary>
public class ReadOnlyPixelBufferTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<MemoryTier> Tiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(Tiers))]
    public void Every_way_to_read_gives_the_pixels(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier))
        {
            PixelPattern.Write(image);
            ReadOnlyPixelBuffer<uint> read = image;
            uint[] expected = PixelPattern.Expected<uint>(image.Width, image.Height);
            Assert.Equal((image.Width, image.Height, image.Stride, image.IsContiguous), (read.Width, read.Height, read.Stride, read.IsContiguous));
            Assert.Equal(expected[^1], read[read.Width - 1, read.Height - 1]);

            read.ProcessPixelRows(accessor => AssertRows(accessor, expected));
            read.ProcessPixelRows(expected, static (accessor, expected) => AssertRows(accessor, expected));
            uint sum = Sum(expected);
            Assert.Equal(sum, read.ProcessPixelRows(static accessor => Sum(accessor)));
            Assert.Equal(sum + 1, read.ProcessPixelRows(1u, static (accessor, one) => Sum(accessor) + one));
            Assert.Equal(sum, read.ProcessPixelRowsInParallel(static accessor => Sum(accessor), static (a, b) => a + b));
            Assert.Equal(
                expected.Length,
                read.ProcessPixelRowsInParallel(
                    expected,
                    static (accessor, expected) =>
                    {
                        AssertRows(accessor, expected);
                        return accessor.Width * accessor.Height;
                    },
                    static (a, b) => a + b,
                    maxDegreeOfParallelism: 3,
                    Token));
            AssertCopies(read, expected);
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [MemberData(nameof(Tiers))]
    public async Task Streams_and_sequences_have_the_bytes(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier))
        {
            PixelPattern.Write(image);
            ReadOnlyPixelBuffer<uint> read = image.AsReadOnly();
            byte[] expected = MemoryMarshal.AsBytes(PixelPattern.Expected<uint>(image.Width, image.Height).AsSpan()).ToArray();
            using var written = new MemoryStream();
            read.WriteTo(written);
            await read.WriteToAsync(written, Token);
            await using Stream stream = read.AsStream();
            await stream.CopyToAsync(written, Token);
            Assert.Equal([.. expected, .. expected, .. expected], written.ToArray());
            Assert.Equal(expected, read.AsReadOnlySequence().ToArray());

            Assert.Equal((true, true, false), (stream.CanRead, stream.CanSeek, stream.CanWrite));
            stream.Position = 0;
            Assert.Throws<NotSupportedException>(() => stream.WriteByte(1));
            Assert.Throws<NotSupportedException>(() => stream.Write([1, 2], 0, 2));
            await Assert.ThrowsAsync<NotSupportedException>(async () => await stream.WriteAsync(new byte[2], Token));
            PixelPattern.AssertHolds(image);
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void It_is_the_buffer_and_ends_with_it()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> image = allocator.Rent<uint>(4, 3);
        ReadOnlyPixelBuffer<uint> read = image;
        image[3, 2] = 8;
        Assert.Equal((8u, false), (read[3, 2], read.IsDisposed));
        Assert.Equal("4 x 3 UInt32, 48 B in 1 piece, read-only", read.ToString());
        read.Dispose();
        read.Dispose();
        Assert.True(image.IsDisposed && read.IsDisposed);
        Assert.Equal((4, 3), (read.Width, read.Height));
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Views_and_casts_live_alone()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks);
        image[5, 900] = 0x01020304;
        using (ReadOnlyPixelBuffer<uint> view = image.AsReadOnly().View(5, 900, 1, 1))
        using (ReadOnlyPixelBuffer<byte> bytes = view.Cast<byte>())
        using (PinnedPixels pin = view.Pin())
        {
            image.Dispose();
            Assert.Equal((0x01020304u, 4, 2), (view[0, 0], bytes.Width, bytes[2, 0]));
            Assert.Equal((1, 1), (pin.Width, pin.Height));
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void Filters_read_it()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        using PixelBuffer<uint> source = allocator.Rent<uint>(60, 50);
        using PixelBuffer<uint> target = allocator.Rent<uint>(60, 50);
        PixelPattern.Write(source);
        ReadOnlyPixelBuffer<uint> read = source;
        target.FilterPixelRows(read, static (band, source) => Copy(band, source));
        PixelPattern.AssertHolds(target);
        target.Clear();
        target.FilterPixelRows(read, 0, static (band, source, _) => Copy(band, source));
        PixelPattern.AssertHolds(target);
        target.Clear();
        target.FilterPixelRowsInParallel(read, static (band, source) => Copy(band, source), 2, Token);
        PixelPattern.AssertHolds(target);
        target.Clear();
        target.FilterPixelRowsInParallel(read, 0, static (band, source, _) => Copy(band, source));
        PixelPattern.AssertHolds(target);
        Assert.Throws<ArgumentException>(() => source.FilterPixelRows(read, static (_, _) => { }));
        Assert.Throws<ObjectDisposedException>(() => target.FilterPixelRows(default(ReadOnlyPixelBuffer<uint>), static (_, _) => { }));
    }

    [Fact]
    public void A_delegate_may_dispose_it()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        ReadOnlyPixelBuffer<uint> read = allocator.Rent<uint>(60, 50, AllocationOptions.Clean);
        read.ProcessPixelRows(accessor =>
        {
            read.Dispose();
            using PixelBuffer<uint> next = allocator.Rent<uint>(60, 50);
            next.Fill(7);
            foreach (ReadOnlySpan<uint> row in accessor)
            {
                Assert.Equal(-1, row.IndexOfAnyExcept(0u));
            }
        });
        TierSizes.AssertQuiet(allocator);
    }

    /// <summary>The one result that can be written is a copy.</summary>
    [Fact]
    public void No_member_gives_a_way_to_write()
    {
        const BindingFlags Declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        MethodInfo[] members = [.. typeof(ReadOnlyPixelBuffer<uint>).GetMethods(Declared), .. typeof(ReadOnlyPixelAccessor<uint>).GetMethods(Declared)];
        Assert.Equal(["Clone()"], members.Where(static member => IsWritable(member.ReturnParameter)).Select(MemberNames.Of));
        Assert.DoesNotContain(members, static member => member.Name.StartsWith("set_", StringComparison.Ordinal));
        Assert.All(
            members.SelectMany(static member => member.GetParameters()).Where(static parameter => typeof(Delegate).IsAssignableFrom(parameter.ParameterType)),
            static parameter => Assert.DoesNotContain(parameter.ParameterType.GetMethod("Invoke")!.GetParameters(), IsWritable));

        static bool IsWritable(ParameterInfo parameter) =>
            (parameter.ParameterType.IsByRef && !parameter.GetRequiredCustomModifiers().Contains(typeof(InAttribute)))
            || parameter.ParameterType.Name.Split('`')[0] is "Span" or "Memory" or "PixelBuffer" or "PixelLease" or "PixelAccessor";
    }

    private static void AssertCopies(ReadOnlyPixelBuffer<uint> read, uint[] expected)
    {
        uint[] copy = new uint[expected.Length];
        read.CopyTo(copy);
        Assert.Equal(expected, copy);
        uint[] apart = new uint[expected.Length + read.Height];
        read.CopyTo(apart, read.Width + 1);
        byte[] bytes = new byte[4 * apart.Length];
        read.CopyTo(bytes, 4 * (read.Width + 1));
        Assert.Equal((expected[^1], expected[^1]), (apart[^2], MemoryMarshal.Cast<byte, uint>(bytes)[^2]));
        using PixelBuffer<uint> clone = read.Clone();
        PixelPattern.AssertHolds(clone);
        clone.Clear();
        read.CopyTo(clone);
        PixelPattern.AssertHolds(clone);
        Assert.Equal(expected[0], read[0, 0]);
    }

    private static void AssertRows(ReadOnlyPixelAccessor<uint> accessor, uint[] expected)
    {
        int y = accessor.FirstRow;
        foreach (ReadOnlySpan<uint> row in accessor)
        {
            Assert.True(row.SequenceEqual(expected.AsSpan(y * accessor.Width, accessor.Width)));
            y++;
        }

        Assert.Equal(accessor.FirstRow + accessor.Height, y);
    }

    private static uint Sum(ReadOnlyPixelAccessor<uint> accessor)
    {
        uint sum = 0;
        foreach (ReadOnlySpan<uint> row in accessor)
        {
            sum += Sum(row);
        }

        return sum;
    }

    private static uint Sum(ReadOnlySpan<uint> pixels)
    {
        uint sum = 0;
        foreach (uint pixel in pixels)
        {
            sum += pixel;
        }

        return sum;
    }

    private static void Copy(PixelAccessor<uint> band, ReadOnlyPixelAccessor<uint> source)
    {
        for (int y = 0; y < band.Height; y++)
        {
            source.GetRowSpan(band.FirstRow + y).CopyTo(band.GetRowSpan(y));
        }
    }
}
