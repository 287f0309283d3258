using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Accessors;

/// <summary>What a delegate gets: sizes, rows, bounds.</summary>
public class AccessorTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void An_accessor_has_the_size_of_its_image(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<Rgb24> buffer = TierSizes.Rent<Rgb24>(allocator, tier);
        buffer.ProcessPixelRows(accessor =>
        {
            Assert.Equal(buffer.Width, accessor.Width);
            Assert.Equal(buffer.Height, accessor.Height);
            Assert.Equal(0, accessor.FirstRow);
            for (int y = 0; y < accessor.Height; y++)
            {
                Assert.Equal(buffer.Width, accessor.GetRowSpan(y).Length);
                Assert.True(accessor.GetRowSpan(y) == buffer.DangerousGetRowSpan(y));
            }
        });
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Rows_outside_of_the_image_are_out_of_range(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<ushort> buffer = TierSizes.Rent<ushort>(allocator, tier);
        using PixelBuffer<ushort> view = buffer.View(1, 1, 3, 1);
        foreach (int y in (int[])[-1, int.MinValue, buffer.Height, buffer.Height + 1, buffer.RowsPerBlock * buffer.BlockCount, int.MaxValue])
        {
            AssertOutOfRange(buffer, y);
        }

        // Rows that the image has, but the view has not.
        AssertOutOfRange(view, -1);
        AssertOutOfRange(view, 1);

        static void AssertOutOfRange(PixelBuffer<ushort> buffer, int y)
        {
            buffer.ProcessPixelRows(y, static (accessor, y) =>
            {
                try
                {
                    accessor.GetRowSpan(y);
                }
                catch (ArgumentOutOfRangeException e)
                {
                    Assert.Equal("y", e.ParamName);
                    return;
                }

                Assert.Fail($"Row {y} was there.");
            });
            Assert.Equal("y", Assert.Throws<ArgumentOutOfRangeException>(() => buffer.DangerousGetRowSpan(y)).ParamName);
            Assert.Equal("y", Assert.Throws<ArgumentOutOfRangeException>(() => buffer[0, y]).ParamName);
            Assert.Equal("y", Assert.Throws<ArgumentOutOfRangeException>(() => buffer[0, y] = 1).ParamName);
        }
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(61)]
    [InlineData(int.MinValue)]
    [InlineData(int.MaxValue)]
    public void Columns_outside_of_the_image_are_out_of_range(int x)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<ushort> buffer = TierSizes.Rent<ushort>(allocator, MemoryTier.SeveralBlocks);
        Assert.Equal("x", Assert.Throws<ArgumentOutOfRangeException>(() => buffer[x, 0]).ParamName);
        Assert.Equal("x", Assert.Throws<ArgumentOutOfRangeException>(() => buffer[x, buffer.Height - 1] = 1).ParamName);
        Assert.Equal("x", Assert.Throws<ArgumentOutOfRangeException>(() => buffer[x, -1]).ParamName);
    }

    [Fact]
    public void The_indexer_reads_and_writes_single_pixels()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<Rgb24> buffer = TierSizes.Rent<Rgb24>(allocator, MemoryTier.SeveralBlocks, AllocationOptions.Clean);
        (int X, int Y)[] places =
        [
            (0, 0), (60, 0), (0, buffer.Height - 1), (60, buffer.Height - 1),
            (13, buffer.RowsPerBlock - 1), (13, buffer.RowsPerBlock), (7, 2 * buffer.RowsPerBlock),
        ];
        foreach ((int x, int y) in places)
        {
            buffer[x, y] = PixelPattern.Value<Rgb24>(x, y);
        }

        int written = 0;
        for (int y = 0; y < buffer.Height; y++)
        {
            for (int x = 0; x < buffer.Width; x++)
            {
                bool isPlace = places.Contains((x, y));
                written += isPlace ? 1 : 0;
                Assert.Equal(isPlace ? PixelPattern.Value<Rgb24>(x, y) : default, buffer[x, y]);
            }
        }

        Assert.Equal(places.Length, written);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Foreach_gives_every_row_once_in_order(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<ulong> buffer = TierSizes.Rent<ulong>(allocator, tier);
        buffer.ProcessPixelRows(static accessor =>
        {
            for (int pass = 0; pass < 2; pass++)
            {
                int y = 0;
                foreach (Span<ulong> row in accessor)
                {
                    Assert.True(row == accessor.GetRowSpan(y));
                    y++;
                }

                Assert.Equal(accessor.Height, y);
            }
        });
    }

    [Fact]
    public void An_enumerator_past_its_end_stays_there()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.Array);
        using PixelBuffer<int> buffer = allocator.Rent<int>(2, 2);
        buffer.ProcessPixelRows(static accessor =>
        {
            PixelAccessor<int>.RowEnumerator rows = accessor.GetEnumerator();
            Assert.True(IsOutOfRange(rows));
            Assert.True(rows.MoveNext());
            Assert.True(rows.MoveNext());
            Assert.False(rows.MoveNext());
            Assert.False(rows.MoveNext());
            Assert.True(IsOutOfRange(rows));
        });

        static bool IsOutOfRange(PixelAccessor<int>.RowEnumerator rows)
        {
            try
            {
                _ = rows.Current;
                return false;
            }
            catch (ArgumentOutOfRangeException)
            {
                return true;
            }
        }
    }

    [Fact]
    public void A_default_accessor_has_no_rows()
    {
        PixelAccessor<int> accessor = default;
        Assert.Equal(0, accessor.Width);
        Assert.Equal(0, accessor.Height);
        foreach (Span<int> row in accessor)
        {
            Assert.Fail($"A row of {row.Length} pixels.");
        }

        try
        {
            accessor.GetRowSpan(0);
            Assert.Fail("Row 0 was there.");
        }
        catch (ArgumentOutOfRangeException)
        {
        }
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void A_single_span_is_there_exactly_for_one_run_without_gaps(MemoryTier tier)
    {
        foreach (int alignment in (int[])[1, 64])
        {
            PixelAllocatorOptions options = TierSizes.Options(tier);
            options.RowAlignmentBytes = alignment;
            using PixelAllocator allocator = PixelAllocator.Create(options);
            using PixelBuffer<ushort> buffer = TierSizes.Rent<ushort>(allocator, tier, rowAlignmentBytes: alignment);
            AssertSingle(buffer, buffer.IsContiguous && alignment == 1);

            // One row is a run, whatever its stride; rows with something between them are none.
            using PixelBuffer<ushort> row = buffer.View(0, buffer.Height - 1, buffer.Width, 1);
            AssertSingle(row, true);
            using PixelBuffer<ushort> part = buffer.View(3, 1, 7, 1);
            AssertSingle(part, true);
            using PixelBuffer<ushort> column = buffer.View(0, 0, 1, buffer.Height);
            AssertSingle(column, false);
        }

        static void AssertSingle(PixelBuffer<ushort> buffer, bool expected)
        {
            PixelPattern.Write(buffer);
            int calls = 0;
            Assert.Equal(expected, buffer.TryProcessSinglePixelSpan(pixels =>
            {
                calls++;
                PixelPattern.AssertSame<ushort>(PixelPattern.Expected<ushort>(buffer.Width, buffer.Height), pixels);
            }));
            Assert.Equal(expected ? 1 : 0, calls);
            Assert.Equal(expected, buffer.DangerousTryGetSinglePixelMemory(out Memory<ushort> memory));
            Assert.Equal(expected ? buffer.Width * buffer.Height : 0, memory.Length);
            if (expected)
            {
                PixelPattern.AssertSame<ushort>(PixelPattern.Expected<ushort>(buffer.Width, buffer.Height), memory.Span);
            }
        }
    }

    [Fact]
    public void Whole_rows_inside_one_block_of_several_are_a_single_span()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        using PixelBuffer<byte> buffer = allocator.Rent<byte>(1024, 256);
        using PixelBuffer<byte> inside = buffer.View(0, 64, 1024, 64);
        using PixelBuffer<byte> across = buffer.View(0, 63, 1024, 2);
        Assert.True(inside.TryProcessSinglePixelSpan(pixels => Assert.Equal(64 * 1024, pixels.Length)));
        Assert.False(across.TryProcessSinglePixelSpan(_ => Assert.Fail("Called.")));
    }
}
