using System.Buffers;
using System.Runtime.InteropServices;

namespace PixelPool.Tests.Buffers;

/// <summary>What is written is read: in every tier, for every size of a pixel, by every way to the pixels.</summary>
public class RoundTripTests
{
    public static TheoryData<MemoryTier, int> Cases => TierSizes.AllWithPixelBytes;

    [Theory]
    [MemberData(nameof(Cases))]
    public void Every_way_to_the_pixels_reads_what_rows_wrote(MemoryTier tier, int pixelBytes) =>
        PixelTypes.Call(pixelBytes, ReadEveryWay<byte>, tier);

    [Theory]
    [MemberData(nameof(Cases))]
    public void Rows_read_what_every_way_to_the_pixels_wrote(MemoryTier tier, int pixelBytes) =>
        PixelTypes.Call(pixelBytes, WriteEveryWay<byte>, tier);

    [Theory]
    [MemberData(nameof(Cases))]
    public void The_image_lies_where_its_size_and_options_send_it(MemoryTier tier, int pixelBytes) =>
        PixelTypes.Call(pixelBytes, CheckTier<byte>, tier);

    private static void ReadEveryWay<TPixel>(MemoryTier tier)
        where TPixel : unmanaged
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using (PixelBuffer<TPixel> buffer = TierSizes.Rent<TPixel>(allocator, tier))
        {
            PixelPattern.Write(buffer);
            TPixel[] expected = PixelPattern.Expected<TPixel>(buffer.Width, buffer.Height);
            PixelPattern.AssertRows(buffer, expected);
            AssertRowByRow(buffer, expected);
            AssertCopies(buffer, expected);
            AssertSinglePieces(buffer, expected);
        }

        TierSizes.AssertQuiet(allocator);
    }

    private static unsafe void AssertRowByRow<TPixel>(PixelBuffer<TPixel> buffer, TPixel[] expected)
        where TPixel : unmanaged
    {
        buffer.ProcessPixelRows(expected, static (accessor, expected) =>
        {
            int y = 0;
            foreach (Span<TPixel> row in accessor)
            {
                PixelPattern.AssertSame(expected.AsSpan(y * accessor.Width, accessor.Width), row, y++);
            }

            Assert.Equal(accessor.Height, y);
        });
        for (int y = 0; y < buffer.Height; y++)
        {
            PixelPattern.AssertSame(expected.AsSpan(y * buffer.Width, buffer.Width), buffer.DangerousGetRowSpan(y), y);
            Assert.Equal(expected[y * buffer.Width], buffer[0, y]);
            Assert.Equal(expected[((y + 1) * buffer.Width) - 1], buffer[buffer.Width - 1, y]);
            using PixelBuffer<TPixel> view = buffer.View(0, y, buffer.Width, 1);
            using PinnedPixels pin = view.Pin();
            PixelPattern.AssertSame(expected.AsSpan(y * buffer.Width, buffer.Width), new Span<TPixel>(pin.Pointer, pin.Width), y);
        }
    }

    private static void AssertCopies<TPixel>(PixelBuffer<TPixel> buffer, TPixel[] expected)
        where TPixel : unmanaged
    {
        var copy = new TPixel[expected.Length];
        buffer.CopyTo(copy);
        PixelPattern.AssertSame<TPixel>(expected, copy);

        using var stream = new MemoryStream();
        buffer.WriteTo(stream);
        PixelPattern.AssertSame(MemoryMarshal.AsBytes<TPixel>(expected), stream.ToArray());

        PixelPattern.AssertSame(MemoryMarshal.AsBytes<TPixel>(expected), buffer.AsReadOnlySequence().ToArray());
    }

    private static unsafe void AssertSinglePieces<TPixel>(PixelBuffer<TPixel> buffer, TPixel[] expected)
        where TPixel : unmanaged
    {
        // Without padding, one piece and one span are the same.
        bool spanned = buffer.TryProcessSinglePixelSpan(pixels => PixelPattern.AssertSame<TPixel>(expected, pixels));
        Assert.Equal(buffer.IsContiguous, spanned);
        Assert.Equal(buffer.IsContiguous, buffer.DangerousTryGetSinglePixelMemory(out Memory<TPixel> memory));
        if (buffer.IsContiguous)
        {
            PixelPattern.AssertSame<TPixel>(expected, memory.Span);
            using PinnedPixels pin = buffer.Pin();
            PixelPattern.AssertSame<TPixel>(expected, new Span<TPixel>(pin.Pointer, expected.Length));
            using MemoryHandle handle = memory.Pin();
            Assert.True(pin.Pointer == handle.Pointer);
        }
        else
        {
            Assert.True(memory.IsEmpty);
        }
    }

    private static unsafe void WriteEveryWay<TPixel>(MemoryTier tier)
        where TPixel : unmanaged
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<TPixel> buffer = TierSizes.Rent<TPixel>(allocator, tier);
        TPixel[] expected = PixelPattern.Expected<TPixel>(buffer.Width, buffer.Height);
        PixelBuffer<TPixel> image = buffer;
        using var stream = new MemoryStream(MemoryMarshal.AsBytes<TPixel>(expected).ToArray());
        Action[] ways =
        [
            () => image.CopyFrom(expected),
            () => image.ReadFrom(stream),
            () => ForEachRow(y => expected.AsSpan(y * image.Width, image.Width).CopyTo(image.DangerousGetRowSpan(y))),
            () => image.ProcessPixelRowsInParallel(accessor =>
            {
                for (int y = 0; y < accessor.Height; y++)
                {
                    expected.AsSpan((accessor.FirstRow + y) * image.Width, image.Width).CopyTo(accessor.GetRowSpan(y));
                }
            }),
            () => ForEachRow(y =>
            {
                using PixelBuffer<TPixel> row = image.View(0, y, image.Width, 1);
                Assert.True(row.TryProcessSinglePixelSpan(pixels => expected.AsSpan(y * image.Width, image.Width).CopyTo(pixels)));
            }),
            () =>
            {
                using PixelBuffer<TPixel> other = allocator.Rent<TPixel>(image.Width, image.Height);
                PixelPattern.Write(other);
                other.CopyTo(image);
            },
        ];
        foreach (Action write in ways)
        {
            PixelPattern.Fill(buffer, 0xEE);
            write();
            PixelPattern.AssertRows(buffer, expected);
        }

        void ForEachRow(Action<int> process)
        {
            for (int y = 0; y < image.Height; y++)
            {
                process(y);
            }
        }
    }

    private static void CheckTier<TPixel>(MemoryTier tier)
        where TPixel : unmanaged
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<TPixel> buffer = TierSizes.Rent<TPixel>(allocator, tier);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        (long small, long misses, long unpooled) = tier switch
        {
            MemoryTier.Array or MemoryTier.Slab or MemoryTier.ContiguousSmall => (1L, 0L, 0L),
            _ => TierSizes.IsUnpooled(tier) ? (0, 0, 1) : (0, 1, 0),
        };
        Assert.Equal((small, misses, unpooled), (statistics.SmallRents, statistics.Misses, statistics.UnpooledRents));
        Assert.Equal(1, statistics.Rents);
        TierSizes.AssertBalanced(statistics);
        int pieces = tier switch
        {
            MemoryTier.SeveralBlocks => 5,
            MemoryTier.UnpooledPieces => 4,
            _ => 1,
        };
        Assert.Equal(pieces, buffer.BlockCount);
        Assert.Equal(pieces == 1, buffer.IsContiguous);
    }
}
