using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>What becomes of blocks that go, when their region is unmapped, and what happens when the kernel refuses.</summary>
public class UnmappingTests
{
    private const int Block = 64 << 10;

    /// <summary>Bytes of a page: usual ones, and ones of which a block is two, or one.</summary>
    public static TheoryData<int> PageSizes => [4096, 16 << 10, 32 << 10, 64 << 10];

    /// <summary>Every order in which four blocks can go.</summary>
    public static TheoryData<string, int> Orders =>
    [
        .. from first in "0123"
           from second in "0123"
           from third in "0123"
           let order = string.Concat(first, second, third)
           where order.Distinct().Count() == 3
           from page in PageSizes.Select(static row => row.Data)
           select (order + "0123".First(last => !order.Contains(last, StringComparison.Ordinal)), page),
    ];

    [Theory]
    [MemberData(nameof(Orders))]
    public void Blocks_that_go_are_no_memory_and_their_neighbours_keep_margins(string order, int page)
    {
        var kernel = new FakeKernel(page);
        var source = new LinuxBlockSource(kernel);
        nint[] blocks = new nint[4];
        Assert.True(source.TryAllocateBlocks(blocks, Block, hugePages: false));
        Assert.Equal((4 * Block / page) + 2, kernel.OwnPages);
        Array.ForEach(blocks, block => kernel.Write(block, Block, 1));
        List<nint> live = [.. blocks];
        foreach (char index in order)
        {
            nint block = blocks[index - '0'];
            live.Remove(block);
            source.ReleaseRun(block, 1, Block);
            Assert.Equal(live.Count * Block / page, kernel.WrittenPages);
            Assert.All(live, block => Assert.True(kernel.IsOwn(block - page, Block + (2 * page))));
            Assert.InRange(kernel.OwnRanges, 0, 1);
        }

        Assert.Equal((0, 1), (kernel.OwnPages, kernel.Unmaps));
    }

    [Fact]
    public void What_is_not_unmapped_loses_its_pages()
    {
        var kernel = new FakeKernel();
        var source = new LinuxBlockSource(kernel);
        nint[] blocks = new nint[5];
        Assert.True(source.TryAllocateBlocks(blocks, Block, hugePages: false));
        Assert.True(source.TryAllocate(Block, hugePages: false, out nint piece));
        Array.ForEach([.. blocks, piece], block => kernel.Write(block, Block, 1));
        int own = kernel.OwnPages;
        kernel.RefusesUnmap = static (_, _) => true;
        source.ReleaseBlocks(blocks, Block);
        source.Release(piece, Block);
        Assert.Equal((own, 0, 2), (kernel.OwnPages, kernel.WrittenPages, kernel.Unmaps));
    }

    [Fact]
    public void Blocks_are_not_moved_when_a_quarter_of_all_mappings_are_moved_blocks()
    {
        var kernel = new FakeKernel(maxMappings: 40);
        var source = new LinuxBlockSource(kernel);
        nint[] blocks = new nint[32];
        Assert.True(source.TryAllocateBlocks(blocks, Block, hugePages: false));
        nint[] first = [blocks[0], blocks[2], blocks[4], blocks[6], blocks[8], blocks[10]];
        nint[] second = [blocks[12], blocks[14], blocks[16], blocks[18]];
        nint[] third = [blocks[20], blocks[22]];
        Assert.True(source.TryAssemble(first, 1, Block, hugePages: false, out nint run));
        Assert.True(source.TryAssemble(second, 1, Block, hugePages: false, out _));
        Assert.False(source.TryAssemble(third, 0, Block, hugePages: false, out _));
        Assert.Equal(10, kernel.Moves);

        // A mapping stays until all of its region goes.
        source.ReleaseRun(run, 6, Block);
        Assert.False(source.TryAssemble(third, 0, Block, hugePages: false, out _));
        source.ReleaseRun(run + (6 * Block), 1, Block);
        Assert.True(source.TryAssemble(third, 0, Block, hugePages: false, out _));
    }
}
