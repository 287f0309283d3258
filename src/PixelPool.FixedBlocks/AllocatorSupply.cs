using System.Buffers;
using System.Runtime.InteropServices;

namespace PixelPool.FixedBlocks;

/// <summary>Blocks that are rents of an allocator, beside its images: in its pool, in its budget, and in its lists of what is held.</summary>
/// <param name="allocator">The allocator.</param>
/// <param name="ownsAllocator">Whether nobody else uses the allocator.</param>
internal sealed unsafe class AllocatorSupply(PixelAllocator allocator, bool ownsAllocator) : BlockSupply
{
    public override int BlockBytes => allocator.PieceSizes.Block;

    public override bool ClearsOnReturn => allocator.ClearsOnReturn;

    public override BlockHeader* TryTake() => allocator.TryAllocateBlock() is { } rent ? Hold(rent) : null;

    public override BlockHeader* Take(Action makeRoom, CancellationToken cancellationToken) => Hold(allocator.AllocateBlock(makeRoom, cancellationToken));

    public override void Return(BlockHeader* block)
    {
        GCHandle handle = GCHandle.FromIntPtr(block->Rent);
        var rent = (IMemoryOwner<byte>)handle.Target!;
        handle.Free();
        rent.Dispose();
    }

    public override long Trim() => allocator.Trim();

    public override PixelPoolStatistics GetStatistics() => allocator.GetStatistics();

    public override void Close()
    {
        if (ownsAllocator)
        {
            allocator.Dispose();
        }
    }

    private static BlockHeader* Hold(IMemoryOwner<byte> rent)
    {
        bool isHeld = false;
        try
        {
            fixed (byte* start = rent.Memory.Span)
            {
                // The block holds its rent. What is only reachable from a dropped heap could be finalized before that, and the block be somebody else's then.
                var block = (BlockHeader*)start;
                block->Rent = GCHandle.ToIntPtr(GCHandle.Alloc(rent));
                isHeld = true;
                return block;
            }
        }
        finally
        {
            if (!isHeld)
            {
                rent.Dispose();
            }
        }
    }
}
