using PixelPool.Native;

namespace PixelPool.Tests.Native.Linux;

/// <summary>The kernel does not move a block: blocks stay, and no place is left behind that may be unmapped.</summary>
public class AssemblyRefusalTests
{
    private const int Block = 64 << 10;
    private const int Page = 4096;

    private readonly FakeKernel _kernel = new();
    private readonly LinuxBlockSource _source;

    public AssemblyRefusalTests() => _source = new LinuxBlockSource(_kernel);

    public static TheoryData<int, int, bool> EveryMove =>
    [
        .. from k in Enumerable.Range(1, 4)
           from error in new[] { FakeKernel.ENoMem, FakeKernel.EFault, FakeKernel.EInval }
           from hole in new[] { false, true }
           where k > 1 || error != FakeKernel.EInval || !hole
           select (k, error, hole),
    ];

    [Theory]
    [MemberData(nameof(EveryMove))]
    public void Blocks_stay_where_they_were_when_a_move_is_refused(int k, int error, bool hole)
    {
        nint[] blocks = Scattered(4);
        int own = _kernel.OwnPages;
        nint refused = blocks.Order().ElementAt(k - 1);
        _kernel.RefusesMove = from => from == refused ? (error, hole ? PlaceAfter.Hole : PlaceAfter.Kept) : default;
        nint[] after = [.. blocks];
        Assert.False(_source.TryAssemble(after, 2, Block, hugePages: false, out _, out bool isRefused));
        Assert.Equal(blocks.Order(), after.Order());
        Assert.Equal(refused, after[^1]);

        // Only what lies in two mappings is the block's own fault.
        Assert.Equal(error == FakeKernel.EFault, isRefused);
        Assert.All(blocks, block => Assert.True(_kernel.Holds(block, Block, block >= refused ? 1 : 0)));

        // What the kernel did not unmap cannot be told from memory that somebody else mapped there meanwhile. But an old kernel says so before it does anything.
        bool isLost = !hole && !(k == 1 && error == FakeKernel.EInval);
        Assert.Equal(own + (isLost ? Block / Page : 0), _kernel.OwnPages);
        AssertMargins(blocks);
    }

    [Fact]
    public void Memory_that_somebody_maps_where_a_move_failed_is_left_alone()
    {
        nint[] blocks = Scattered(3);
        int own = _kernel.OwnPages;
        _kernel.RefusesMove = from => from == blocks[1] ? (FakeKernel.ENoMem, PlaceAfter.Taken) : default;
        Assert.False(_source.TryAssemble(blocks, 0, Block, hugePages: false, out _, out _));
        Assert.Equal((own, Block / Page), (_kernel.OwnPages, _kernel.OtherPages));
    }

    [Fact]
    public void Kernel_that_can_not_move_is_asked_once()
    {
        _kernel.RefusesMove = static _ => (FakeKernel.EInval, PlaceAfter.Kept);
        nint[] blocks = Scattered(3);
        int own = _kernel.OwnPages;
        Assert.False(_source.TryAssemble(blocks, 0, Block, hugePages: false, out _, out _));
        Assert.Equal((1, own), (_kernel.Moves, _kernel.OwnPages));
        int maps = _kernel.Maps;
        Assert.False(_source.TryAssemble(blocks, 1, Block, hugePages: false, out _, out bool refused));
        Assert.Equal((1, maps, false), (_kernel.Moves, _kernel.Maps, refused));
    }

    [Fact]
    public void Blocks_that_lie_side_by_side_need_no_move()
    {
        _kernel.RefusesMove = static _ => (FakeKernel.EInval, PlaceAfter.Kept);
        nint[] blocks = new nint[4];
        Assert.True(_source.TryAllocateBlocks(blocks, Block, hugePages: false));
        nint first = blocks[0];
        blocks.AsSpan().Reverse();
        Assert.True(_source.TryAssemble(blocks, 0, Block, hugePages: false, out nint run, out _));
        Assert.Equal((first, 0), (run, _kernel.Moves));
    }

    [Fact]
    public void After_a_few_lost_places_nothing_is_moved_any_more()
    {
        Assert.True(_source.TryAssemble(Scattered(3), 0, Block, hugePages: false, out _, out _));
        nint[] others = Scattered(3);
        int own = _kernel.OwnPages;
        _kernel.RefusesMove = static _ => (FakeKernel.ENoMem, PlaceAfter.Kept);
        for (int i = 0; i < 10; i++)
        {
            Assert.False(_source.TryAssemble(others, 0, Block, hugePages: false, out _, out _));
        }

        Assert.Equal(3 + 4, _kernel.Moves);
        Assert.Equal(own + (4 * Block / Page), _kernel.OwnPages);
        _kernel.RefusesMove = null;
        Assert.False(_source.TryAssemble(others, 0, Block, hugePages: false, out _, out _));
    }

    [Fact]
    public void Run_that_can_not_be_mapped_moves_nothing()
    {
        nint[] blocks = Scattered(3);
        int own = _kernel.OwnPages;
        _kernel.RefusesMap = static (_, _) => true;
        Assert.False(_source.TryAssemble(blocks, 0, Block, hugePages: false, out _, out bool refused));
        Assert.Equal((own, 0, false), (_kernel.OwnPages, _kernel.Moves, refused));
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
