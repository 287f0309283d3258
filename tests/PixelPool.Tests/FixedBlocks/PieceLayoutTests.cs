using System.Runtime.InteropServices;
using PixelPool.FixedBlocks;
using PixelPool.Native;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Where pieces lie in a block.</summary>
public sealed unsafe class PieceLayoutTests
{
    private const int LargeBlock = 4 << 20;
    private const int SmallBlock = 64 << 10;

    public static TheoryData<int> Sizes { get; } = [.. Enumerable.Range(1, 300), 511, 512, 1000, 1364, 2044, 2048, 4092, 4096, 20_000, SmallBlock - 264];

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Every_piece_lies_apart_from_all_others_and_leads_to_its_block(int itemBytes)
    {
        var layout = new PieceLayout(itemBytes, SmallBlock);
        var block = (BlockHeader*)NativeMemory.AlignedAlloc(SmallBlock, BlockSource.AlignmentBytes);
        try
        {
            layout.Open(block);
            nint end = BlockHeader.Bytes;
            int count = 0;
            while (block->Fresh != block->FreshEnd || layout.TryPrepare(block))
            {
                byte* piece = block->Fresh;
                block->Fresh += layout.StepBytes;
                nint offset = (nint)piece - (nint)block;
                Assert.True(offset >= end, $"piece {count} at {offset} begins before {end}");
                NativeMemory.Fill(piece, (nuint)layout.PieceBytes, 0xFF);
                Assert.True(block == layout.BlockOf(piece), $"piece {count} does not lead to its block");
                Assert.InRange(layout.IndexOf(offset), count, layout.IndexCount - 1);
                Assert.Equal(-1, layout.IndexOf(offset + 1));
                Assert.Equal(0, offset % (itemBytes % 8 == 0 ? 8 : 4));
                Assert.True(!int.IsPow2(itemBytes) || itemBytes > 128 || offset % itemBytes == 0, $"piece {count} at {offset} is not aligned");
                end = offset + layout.PieceBytes;
                count++;
            }

            Assert.Equal(layout.Capacity, count);
            Assert.InRange(end, 1, SmallBlock);
            Assert.Equal(-1, layout.IndexOf(0));
            Assert.Equal(-1, layout.IndexOf(SmallBlock));
        }
        finally
        {
            NativeMemory.AlignedFree(block);
        }
    }

    /// <summary>A type may have as many bytes as an int counts.</summary>
    [Theory]
    [InlineData(SmallBlock - 263)]
    [InlineData(SmallBlock)]
    [InlineData(1 << 30)]
    [InlineData(int.MaxValue - 3)]
    [InlineData(int.MaxValue - 2)]
    [InlineData(int.MaxValue)]
    public void What_is_longer_than_a_block_has_no_room_in_it(int itemBytes)
    {
        Assert.Equal(0, new PieceLayout(itemBytes, SmallBlock).Capacity);
        Assert.Equal(0, new PieceLayout(Math.Max(itemBytes, (1 << 30) - 263), 1 << 30).Capacity);
    }

    [Fact]
    public void An_object_takes_at_most_a_twentieth_more_than_its_size()
    {
        for (int bytes = IntPtr.Size; bytes <= 4096; bytes += 4)
        {
            double perPiece = (double)LargeBlock / new PieceLayout(bytes, LargeBlock).Capacity;
            Assert.True(perPiece <= 1.05 * bytes, $"{perPiece} bytes for {bytes}");
        }
    }

    [Theory]
    [InlineData(SmallBlock)]
    [InlineData(LargeBlock)]
    public void A_block_has_room_for_one_object_or_it_has_none(int blockBytes)
    {
        Assert.Equal(1, new PieceLayout(blockBytes - BlockHeader.Bytes - 8, blockBytes).Capacity);
        Assert.Equal(0, new PieceLayout(blockBytes - BlockHeader.Bytes, blockBytes).Capacity);
        Assert.Equal(0, new PieceLayout(100 << 20, blockBytes).Capacity);
    }
}
