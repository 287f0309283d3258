using System.Runtime.CompilerServices;
using PixelPool.FixedBlocks;
using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>What two threads write never shares a cache line, nor the pair of lines that a processor fetches.</summary>
public sealed unsafe class CacheLineTests
{
    private const int LinePair = 128;

    [Fact]
    public void The_header_of_a_block_keeps_what_others_read_apart_from_what_its_owner_writes()
    {
        BlockHeader block;
        byte* start = (byte*)&block;
        long[] read = [(byte*)&block.Back - start, (byte*)&block.Owner - start];
        long[] written =
        [
            (byte*)&block.Free - start, (byte*)&block.Fresh - start, (byte*)&block.FreshEnd - start, (byte*)&block.Used - start, (byte*)&block.Alarm - start,
            (byte*)&block.Next - start, (byte*)&block.Previous - start, (byte*)&block.Unprepared - start, (byte*)&block.IsFull - start,
        ];
        Assert.All(read, offset => Assert.InRange(offset, 0, LinePair - 8));
        Assert.All(written, offset => Assert.InRange(offset, LinePair, LinePair + 64 - 8));
        Assert.Equal(2 * LinePair, sizeof(BlockHeader));

        // Blocks, and so headers, begin at a page, and pieces behind the header.
        Assert.Equal(0, PixelPool.Native.BlockSource.AlignmentBytes % LinePair);
    }

    [Fact]
    public void A_heap_has_a_line_pair_before_and_behind_what_its_thread_writes()
    {
        var heap = new ThreadHeap(new PieceLayout(32, 64 << 10));
        long heapBytes = ObjectLayout.BytesOf(static () => new ThreadHeap(s_layout)) - ObjectLayout.BytesOf(static () => new RemoteFreeList()) - ObjectLayout.BytesOf(static () => new object());
        Assert.All(
            [
                ObjectLayout.Offset(heap, ref Gate(heap)), ObjectLayout.Offset(heap, ref IsAbandoned(heap)),
                ObjectLayout.Offset(heap, ref Open(heap)), ObjectLayout.Offset(heap, ref Full(heap)),
            ],
            offset => Assert.InRange(offset, LinePair, heapBytes - LinePair - 8));
    }

    [Fact]
    public void The_list_of_what_others_freed_has_a_line_pair_on_both_sides()
    {
        var remote = new RemoteFreeList();
        Assert.InRange(ObjectLayout.Offset(remote, ref First(remote)), LinePair, ObjectLayout.BytesOf(static () => new RemoteFreeList()) - LinePair - 8);
    }

    private static readonly PieceLayout s_layout = new(32, 64 << 10);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_gate")]
    private static extern ref BiasedLock Gate(ThreadHeap heap);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_isAbandoned")]
    private static extern ref int IsAbandoned(ThreadHeap heap);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_open")]
    private static extern ref BlockHeaderList Open(ThreadHeap heap);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_full")]
    private static extern ref BlockHeaderList Full(ThreadHeap heap);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_first")]
    private static extern ref nint First(RemoteFreeList remote);
}
