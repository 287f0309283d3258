using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>The kernel does not move a block: blocks stay, and no place is left behind that may be unmapped.</summary>
public class AssemblyRefusalTests
{
    private const int Block = 64 << 10;
    private const int Page = 4096;

    private readonly FakeKernel _kernel = new();
    private readonly LinuxBlockSource _source;

    public AssemblyRefusalTests() => _source = new LinuxBlockSource(_kernel);

    [Theory]
    [InlineData(1, false)]
    [InlineData(1, true)]
    [InlineData(3, false)]
    [InlineData(3, true)]
    [InlineData(4, false)]
    [InlineData(4, true)]
    public void Blocks_stay_where_they_were_when_a_move_is_refused(int k, bool hole)
    {
        nint[] blocks = Scattered(4);
        int own = _kernel.OwnPages;
        nint refused = blocks.Order().ElementAt(k - 1);
        _kernel.RefusesMove = from => from == refused ? hole ? PlaceAfter.Hole : PlaceAfter.Kept : null;
        nint[] after = [.. blocks];
        Assert.False(_source.TryAssemble(after, 2, Block, hugePages: false, out _));
        Assert.Equal(blocks.Order(), after.Order());
        Assert.All(blocks, block => Assert.True(_kernel.Holds(block, Block, block >= refused ? 1 : 0)));

        // What the kernel did not unmap cannot be told from memory that somebody else mapped there meanwhile.
        Assert.Equal(own + (!hole ? Block / Page : 0), _kernel.OwnPages);
        AssertMargins(blocks);
    }

    [Fact]
    public void Memory_that_somebody_maps_where_a_move_failed_is_left_alone()
    {
        nint[] blocks = Scattered(3);
        int own = _kernel.OwnPages;
        _kernel.RefusesMove = from => from == blocks[1] ? PlaceAfter.Taken : null;
        Assert.False(_source.TryAssemble(blocks, 0, Block, hugePages: false, out _));
        Assert.Equal((own, Block / Page), (_kernel.OwnPages, _kernel.OtherPages));
    }

    [Fact]
    public void Blocks_that_lie_side_by_side_need_no_move()
    {
        _kernel.RefusesMove = static _ => PlaceAfter.Kept;
        nint[] blocks = new nint[4];
        Assert.True(_source.TryAllocateBlocks(blocks, Block, hugePages: false));
        nint first = blocks[0];
        blocks.AsSpan().Reverse();
        Assert.True(_source.TryAssemble(blocks, 0, Block, hugePages: false, out nint run));
        Assert.Equal((first, 0), (run, _kernel.Moves));
    }

    [Fact]
    public void After_a_few_refusals_nothing_is_moved_any_more()
    {
        Assert.True(_source.TryAssemble(Scattered(3), 0, Block, hugePages: false, out _));
        nint[] others = Scattered(3);
        int own = _kernel.OwnPages;
        _kernel.RefusesMove = static _ => PlaceAfter.Kept;
        for (int i = 0; i < 10; i++)
        {
            Assert.False(_source.TryAssemble(others, 0, Block, hugePages: false, out _));
        }

        Assert.Equal(3 + 4, _kernel.Moves);
        Assert.Equal(own + (4 * Block / Page), _kernel.OwnPages);
        _kernel.RefusesMove = null;
        Assert.False(_source.TryAssemble(others, 0, Block, hugePages: false, out _));
    }

    [Fact]
    public void Run_that_can_not_be_mapped_moves_nothing()
    {
        nint[] blocks = Scattered(3);
        int own = _kernel.OwnPages;
        _kernel.RefusesMap = static (_, _) => true;
        Assert.False(_source.TryAssemble(blocks, 0, Block, hugePages: false, out _));
        Assert.Equal((own, 0), (_kernel.OwnPages, _kernel.Moves));
    }

    // Every second block of a mapping, written to; the others live.
    private nint[] Scattered(int count)
    {
        nint[] blocks = new nint[2 * count];
        Assert.True(_source.TryAllocateBlocks(blocks, Block, hugePages: false));
        nint[] scattered = [.. blocks.Where(static (_, i) => i % 2 == 0)];
        Array.ForEach(scattered, block => _kernel.Write(block, Block, 1));
        return scattered;
    }

    private void AssertMargins(nint[] blocks) => Assert.All(blocks, block => Assert.True(_kernel.IsOwn(block - Page, Block + (2 * Page))));
}
