using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>Blocks that lie side by side go at once: each page at their edges is unmapped by one of the threads.</summary>
public class NeighboursAtOnceTests
{
    private const int Block = 64 << 10;

    private readonly FakeKernel _kernel = new();
    private readonly LinuxBlockSource _source;
    private readonly nint[] _blocks = new nint[4];

    public NeighboursAtOnceTests() => _source = new LinuxBlockSource(_kernel);

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(3)]
    public void Neighbour_that_goes_before_the_pages_are_let_go_of_takes_what_is_its(int other)
    {
        Assert.True(_source.TryAllocateBlocks(_blocks, Block, hugePages: false));
        _kernel.OnDiscard = () => Release(other);
        _source.ReleaseRun(_blocks[1], 1, Block);
        AssertOnlyRestIsMapped(other);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(3)]
    public void Neighbour_that_goes_before_the_pages_are_unmapped_takes_what_is_its(int other)
    {
        Assert.True(_source.TryAllocateBlocks(_blocks, Block, hugePages: false));
        _kernel.RefusesUnmap = (_, _) =>
        {
            Release(other);

            // What it unmapped belongs to somebody else at once.
            while (_kernel.MapForOther(_kernel.PageBytes) > _blocks[0])
            {
            }

            return false;
        };
        _source.ReleaseRun(_blocks[1], 1, Block);
        AssertOnlyRestIsMapped(other);
    }

    /// <summary>Whether there is room below; and whether the block above goes meanwhile.</summary>
    [Theory]
    [InlineData(true, false)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(false, true)]
    public void Block_that_goes_while_others_are_mapped_below_it_leaves_them_its_margin(bool hasRoom, bool goes)
    {
        Assert.True(_source.TryAllocateBlocks(_blocks, Block, hugePages: false));
        _kernel.Write(_blocks[0], Block, 1);
        nint[] below = new nint[2];
        _kernel.RefusesMap = (_, _) =>
        {
            _kernel.RefusesMap = null;
            if (goes)
            {
                _source.ReleaseRun(_blocks[0], 1, Block);
            }

            return !hasRoom;
        };
        Assert.True(_source.TryAllocateBlocks(below, Block, hugePages: false));
        Assert.Equal(hasRoom, below[1] + Block == _blocks[0]);
        nint[] live = [.. below, .. _blocks[(goes ? 1 : 0)..]];
        AssertMargins(live);
        Assert.Equal(goes ? 0 : Block / _kernel.PageBytes, _kernel.WrittenPages);
        _source.ReleaseBlocks(live, Block);
        Assert.Equal(0, _kernel.OwnPages);
    }

    [Fact]
    public void Two_never_map_below_the_same_block()
    {
        Assert.True(_source.TryAllocateBlocks(_blocks, Block, hugePages: false));
        nint[] first = new nint[1];
        nint[] second = new nint[1];
        _kernel.RefusesMap = (_, _) =>
        {
            _kernel.RefusesMap = null;
            Assert.True(_source.TryAllocateBlocks(second, Block, hugePages: false));
            return false;
        };
        Assert.True(_source.TryAllocateBlocks(first, Block, hugePages: false));
        Assert.NotEqual(first[0], second[0]);
        nint[] live = [.. _blocks, .. first, .. second];
        AssertMargins(live);
        _source.ReleaseBlocks(live, Block);
        Assert.Equal(0, _kernel.OwnPages);
    }

    [Fact]
    public void Neighbours_that_go_on_two_threads_unmap_each_page_once()
    {
        var meeting = new SpinMeeting();
        nint[] blocks = new nint[16];
        Simultaneously.Run(2, thread =>
        {
            int rounds = 0;
            do
            {
                if (thread == 0)
                {
                    Assert.Equal(0, _kernel.OwnPages);
                    Assert.True(_source.TryAllocateBlocks(blocks, Block, hugePages: false));
                }

                meeting.Wait(thread);
                for (int i = thread; i < blocks.Length; i += 2)
                {
                    _source.ReleaseRun(blocks[i], 1, Block);
                }
            }
            while (meeting.WaitAndGoOn(thread) && ++rounds < 1000);
        });
        Assert.Equal(0, _kernel.OwnPages);
    }

    private void AssertMargins(params nint[] live) =>
        Assert.All(live, block => Assert.True(_kernel.IsOwn(block - _kernel.PageBytes, Block + (2 * _kernel.PageBytes))));

    private void Release(int other)
    {
        _kernel.OnDiscard = null;
        _kernel.RefusesUnmap = null;
        _source.ReleaseRun(_blocks[other], 1, Block);
    }

    private void AssertOnlyRestIsMapped(int other)
    {
        foreach (int rest in Enumerable.Range(0, 4).Except([1, other]))
        {
            AssertMargins(_blocks[rest]);
            _source.ReleaseRun(_blocks[rest], 1, Block);
        }

        Assert.Equal(0, _kernel.OwnPages);
    }
}
