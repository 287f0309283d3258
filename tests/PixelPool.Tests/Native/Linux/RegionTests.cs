using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>Where blocks lie: in few mappings, which are as large as what is held, and in places that others left.</summary>
public class RegionTests
{
    private const int Block = 64 << 10;
    private const int Page = 4096;

    private readonly FakeKernel _kernel = new();
    private readonly LinuxBlockSource _source;

    public RegionTests() => _source = new LinuxBlockSource(_kernel);

    [Fact]
    public void Regions_grow_with_what_is_held()
    {
        nint[] blocks = One(100);

        // 1, 1, 2, 4, 8, 16, 32, 64.
        Assert.Equal((8, 128 * Block / Page + (8 * 2)), (_kernel.Maps, _kernel.OwnPages));
        _source.ReleaseBlocks(blocks, Block);
        Assert.Equal(0, _kernel.OwnPages);
    }

    [Fact]
    public void Many_blocks_are_never_one_mapping()
    {
        // The kernel refuses what is larger than all memory, though there may be enough for what is used of it.
        const int Large = 4 << 20;
        var kernel = new FakeKernel(64 << 10) { RefusesMap = static (_, bytes) => bytes > 65 * Large };
        var source = new LinuxBlockSource(kernel);
        nint[] blocks = new nint[200];
        Assert.True(source.TryAllocateBlocks(blocks, Large, hugePages: true));
        Assert.Equal((200, 4), (blocks.Distinct().Count(), kernel.Maps));
    }

    [Fact]
    public void Blocks_lie_where_others_were()
    {
        nint[] blocks = One(64);
        Array.ForEach(blocks, block => _kernel.Write(block, Block, 1));

        // But for those that are alone in their region.
        nint[] every = [.. blocks.Where(static (_, i) => i > 1 && i % 2 == 0)];
        _source.ReleaseBlocks([.. every], Block);
        int maps = _kernel.Maps;
        nint[] again = new nint[every.Length];
        Assert.True(_source.TryAllocateBlocks(again, Block, hugePages: false));
        Assert.Equal(every.Order(), again.Order());
        Assert.Equal(maps, _kernel.Maps);
        Assert.All(again, block => Assert.True(_kernel.Holds(block, Block, 0)));
    }

    [Fact]
    public void Run_needs_places_side_by_side()
    {
        nint[] blocks = new nint[8];
        Assert.True(_source.TryAllocateBlocks(blocks, Block, hugePages: false));
        _source.ReleaseBlocks([blocks[1], blocks[4], blocks[5]], Block);
        Assert.True(_source.TryAllocateRun(2, Block, hugePages: false, out nint run));
        Assert.Equal(blocks[4], run);
        Assert.True(_source.TryAllocateRun(2, Block, hugePages: false, out nint other));
        Assert.DoesNotContain(other, blocks);
    }

    [Fact]
    public void Sizes_have_regions_of_their_own()
    {
        nint[] small = One(4);
        Assert.True(_source.TryAllocateRun(1, 2 * Block, hugePages: false, out nint large));
        Assert.True(_kernel.IsOwn(large - Page, (2 * Block) + (2 * Page)));
        _source.ReleaseBlocks(small, Block);
        Assert.Equal((2 * Block / Page) + 2, _kernel.OwnPages);
    }

    [Fact]
    public void Place_is_free_when_its_pages_are_gone_and_not_before()
    {
        nint[] blocks = One(4);
        nint other = 0;
        _kernel.OnDiscard = () =>
        {
            _kernel.OnDiscard = null;
            Assert.True(_source.TryAllocateRun(1, Block, hugePages: false, out other));
        };
        _source.ReleaseRun(blocks[1], 1, Block);
        Assert.DoesNotContain(other, blocks);
    }

    /// <summary>Pages that are locked, or a filter that denies the call. Real ones: they are cleared.</summary>
    [Fact]
    public void Where_pages_can_not_be_let_go_of_blocks_are_unmapped_one_by_one()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && IntPtr.Size == 8, "the system calls are those of Linux");
        var kernel = new FailingKernel { KeepsPages = true };
        var source = new LinuxBlockSource(kernel);
        nint[] blocks = One(16, source);
        source.ReleaseRun(blocks[1], 1, Block);
        nint[] more = One(20, source);
        long mapped = kernel.Mapped.Bytes;
        source.ReleaseRun(more[^1], 1, Block);
        Assert.Equal(mapped - Block - (2 * Environment.SystemPageSize), kernel.Mapped.Bytes);
        source.ReleaseBlocks([.. blocks.Where((_, i) => i != 1), .. more[..^1]], Block);
        Assert.Equal((0L, true), kernel.Mapped);
    }

    [Fact]
    public void Region_is_as_small_as_it_can_be_where_a_larger_one_is_refused()
    {
        nint[] blocks = One(16);
        _kernel.RefusesMap = static (_, bytes) => bytes > 4 * Block;
        Assert.True(_source.TryAllocateRun(3, Block, hugePages: false, out _));
        Assert.Equal(((16 + 3) * Block / Page) + (2 * 6), _kernel.OwnPages);
        Assert.False(_source.TryAllocateBlocks(new nint[6], Block, hugePages: false));
        _source.ReleaseBlocks(blocks, Block);
        Assert.Equal((3 * Block / Page) + 2, _kernel.OwnPages);
    }

    [Fact]
    public void Threads_that_give_back_what_lies_side_by_side_unmap_it_once()
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

    // Blocks that are got one by one.
    private nint[] One(int count, LinuxBlockSource? source = null)
    {
        nint[] blocks = new nint[count];
        for (int i = 0; i < count; i++)
        {
            Assert.True((source ?? _source).TryAllocateRun(1, Block, hugePages: false, out blocks[i]));
        }

        return blocks;
    }
}
