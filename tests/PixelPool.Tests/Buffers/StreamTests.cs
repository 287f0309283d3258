using System.Buffers;
using System.Runtime.InteropServices;

namespace PixelPool.Tests.Buffers;

/// <summary>Pixels in and out of streams, and as sequences: exactly the pixels, without gaps.</summary>
public class StreamTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Streams_get_and_give_exactly_the_pixels(MemoryTier tier)
    {
        foreach (int alignment in (int[])[1, 64])
        {
            using PixelAllocator allocator = Create(tier, alignment);
            using PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, tier, rowAlignmentBytes: alignment);
            PixelPattern.Write(image);
            byte[] expected = Bytes(image.Width, image.Height);
            using var written = new MemoryStream();
            written.Write([1, 2, 3]);
            image.WriteTo(written);
            written.WriteByte(4);
            Assert.Equal([1, 2, 3, .. expected, 4], written.ToArray());

            PixelPattern.Fill(image, 0);
            written.Position = 3;
            image.ReadFrom(written);
            Assert.Equal(3 + expected.Length, written.Position);
            PixelPattern.AssertHolds(image);
        }
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Streams_that_give_a_few_bytes_at_a_time_are_read_to_the_end(MemoryTier tier)
    {
        using PixelAllocator allocator = Create(tier, 1);
        using PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, tier);
        byte[] bytes = Bytes(image.Width, image.Height);
        using var stream = new TrickleStream([.. bytes, 99]);
        image.ReadFrom(stream);
        PixelPattern.AssertHolds(image);
        Assert.Equal(99, stream.ReadByte());
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Streams_that_end_early_are_reported_and_leave_what_they_gave(MemoryTier tier)
    {
        using PixelAllocator allocator = Create(tier, 1);
        PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, tier);
        byte[] bytes = Bytes(image.Width, image.Height);
        foreach (int length in (int[])[0, 1, image.Width * 3, bytes.Length / 2, bytes.Length - 1])
        {
            PixelPattern.Fill(image, 0);
            EndOfStreamException e = Assert.Throws<EndOfStreamException>(() => image.ReadFrom(new MemoryStream(bytes, 0, length)));
            Assert.Contains($"after {length} of {bytes.Length} bytes", e.Message, StringComparison.Ordinal);
            byte[] read = MemoryMarshal.AsBytes<Rgb24>(Copy(image)).ToArray();
            Assert.True(read.AsSpan(0, length).SequenceEqual(bytes.AsSpan(0, length)));
            Assert.False(read.AsSpan(length).ContainsAnyExcept((byte)0));
        }

        image.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public async Task A_stream_that_says_that_it_read_more_than_there_is_room_for_is_not_believed()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using PixelBuffer<byte> image = allocator.Rent<byte>(100, 100);
        IOException e = Assert.Throws<IOException>(() => image.ReadFrom(new BoastfulStream()));
        Assert.Contains("read 10001 bytes", e.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<IOException>(() => image.ReadFromAsync(new BoastfulStream(), TestContext.Current.CancellationToken).AsTask());
    }

    [Fact]
    public void A_view_is_written_and_read_without_its_surroundings()
    {
        using PixelAllocator allocator = Create(MemoryTier.SeveralBlocks, 1);
        using PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, MemoryTier.SeveralBlocks);
        PixelPattern.Write(image);
        using PixelBuffer<Rgb24> view = image.View(5, image.RowsPerBlock - 3, 7, 6);
        using var stream = new MemoryStream();
        view.WriteTo(stream);
        Assert.Equal(Bytes(7, 6, 5, image.RowsPerBlock - 3), stream.ToArray());
        stream.Position = 0;
        PixelPattern.Fill(view, 0);
        view.ReadFrom(stream);
        PixelPattern.AssertHolds(image);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void A_sequence_has_a_segment_per_block_or_per_row_where_there_are_gaps(MemoryTier tier)
    {
        foreach (int alignment in (int[])[1, 64])
        {
            using PixelAllocator allocator = Create(tier, alignment);
            using PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, tier, rowAlignmentBytes: alignment);
            PixelPattern.Write(image);
            byte[] expected = Bytes(image.Width, image.Height);
            ReadOnlySequence<byte> sequence = image.AsReadOnlySequence();
            Assert.Equal(expected.Length, sequence.Length);
            Assert.Equal(alignment == 1 ? image.BlockCount : image.Height, Segments(sequence).Length);
            Assert.Equal(expected, sequence.ToArray());
            Assert.Equal(expected[100..^50], sequence.Slice(100, expected.Length - 150).ToArray());
            var reader = new SequenceReader<byte>(sequence);
            reader.Advance(expected.Length - 1);
            Assert.True(reader.TryRead(out byte last));
            Assert.Equal(expected[^1], last);

            // Not a copy.
            image[0, 0] = new Rgb24(201, 202, 203);
            Assert.Equal(201, sequence.FirstSpan[0]);
        }
    }

    [Fact]
    public void A_sequence_of_a_view_has_the_pixels_of_the_view()
    {
        using PixelAllocator allocator = Create(MemoryTier.SeveralBlocks, 1);
        using PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, MemoryTier.SeveralBlocks);
        PixelPattern.Write(image);
        int y = image.RowsPerBlock - 2;
        using PixelBuffer<Rgb24> part = image.View(4, y, 10, 5);
        Assert.Equal(Bytes(10, 5, 4, y), part.AsReadOnlySequence().ToArray());
        Assert.Equal(5, Segments(part.AsReadOnlySequence()).Length);

        // Whole rows are runs up to the end of their block.
        using PixelBuffer<Rgb24> rows = image.View(0, y, image.Width, 5);
        Assert.Equal(Bytes(image.Width, 5, 0, y), rows.AsReadOnlySequence().ToArray());
        Assert.Equal([2 * image.Stride, 3 * image.Stride], Segments(rows.AsReadOnlySequence()));
    }

    [Fact]
    public void A_large_piece_is_cut_into_runs_that_spans_can_hold()
    {
        // Only address space: nothing is touched.
        const int Width = 1 << 20;
        using PixelAllocator allocator = Create(MemoryTier.ContiguousLarge, 1);
        using PixelBuffer<byte> image = allocator.Rent<byte>(Width, 150, AllocationOptions.Contiguous);
        ReadOnlySequence<byte> sequence = image.AsReadOnlySequence();
        Assert.Equal(150L * Width, sequence.Length);
        Assert.Equal([64 * Width, 64 * Width, 22 * Width], Segments(sequence));
    }

    private static PixelAllocator Create(MemoryTier tier, int alignment)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        options.RowAlignmentBytes = alignment;
        return PixelAllocator.Create(options);
    }

    private static byte[] Bytes(int width, int height, int x = 0, int y = 0) =>
        MemoryMarshal.AsBytes<Rgb24>(PixelPattern.Expected<Rgb24>(width, height, x, y)).ToArray();

    private static Rgb24[] Copy(PixelBuffer<Rgb24> image)
    {
        var pixels = new Rgb24[image.Width * image.Height];
        image.CopyTo(pixels);
        return pixels;
    }

    private static int[] Segments(ReadOnlySequence<byte> sequence)
    {
        var lengths = new List<int>();
        foreach (ReadOnlyMemory<byte> segment in sequence)
        {
            lengths.Add(segment.Length);
        }

        return [.. lengths];
    }
}
