using System.Runtime.InteropServices;
using PixelPool.FixedBlocks;
using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Without checks a wrong pointer may make a call throw while it is inside, or while it has stopped all others. Nobody waits forever then.</summary>
public sealed unsafe class FailureInsideTests : IDisposable
{
    private static readonly int s_perBlock = new PieceLayout(sizeof(Sized.Of32), TestSystem.BlockBytes).Capacity;

    private static readonly TimeSpan s_timeLimit = TimeSpan.FromSeconds(20);

    private readonly TestSystem _system = new();
    private readonly FixedBlockAllocator<Sized.Of32> _allocator;

    public FailureInsideTests() => _allocator = new FixedBlockAllocator<Sized.Of32>(_system.Options(), checksFrees: false);

    public void Dispose()
    {
        OnThread(_allocator.Dispose);
        _system.Source.AssertAllFreed();
        _system.Dispose();
    }

    [Fact]
    public void A_free_that_throws_leaves_its_heap()
    {
        // What looks like the header of a block, of a heap that does not exist.
        var foreign = (BlockHeader*)NativeMemory.AlignedAlloc(BlockSource.AlignmentBytes, BlockSource.AlignmentBytes);
        foreign->Back = 0;
        foreign->Owner = 1000;
        OnThread(() =>
        {
            _allocator.Allocate();
            Assert.Throws<IndexOutOfRangeException>(() => _allocator.Free((Sized.Of32*)((byte*)foreign + BlockHeader.Bytes)));
        });
        NativeMemory.AlignedFree(foreign);
        OnThread(() => AssertServes(before: 1));
    }

    [Fact]
    public void A_trim_that_throws_lets_all_others_go_on() => OnThread(() =>
    {
        Sized.Of32* item = _allocator.Allocate();
        OnThread(() => _allocator.Free(item));

        // Written to after it was freed: the list of what others freed is broken.
        item->Stamp = 8;
        OnThread(() => Assert.Throws<NullReferenceException>(() => _allocator.Trim()));
        AssertServes(before: 0);
    });

    private void AssertServes(int before)
    {
        nint[] items = FixedBlockAllocatorTests.Allocate(_allocator, s_perBlock);
        Assert.Equal(before + s_perBlock, _allocator.Count);
        FixedBlockAllocatorTests.Free(_allocator, items);
        _allocator.Trim();
    }

    // Fails when it does not end.
    private static void OnThread(Action body) => Simultaneously.Run(1, s_timeLimit, _ => body());
}
