using PixelPool.Stress.Renting;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>The simplest pool there is, and the measure of all others: as many blocks as the image needs, on a stack behind one lock.</summary>
internal readonly struct UntouchedBlocks(RentWorkload workload) : IUntouchedRent
{
    private const int MostBlocks = 16;

    private readonly LockedStack _stack = new(RentWorkload.BlockBytes);
    private readonly int _blocks = Math.Max(1, workload.Bytes / RentWorkload.BlockBytes);

    public void RentAndReturn()
    {
        Span<nint> space = stackalloc nint[MostBlocks];
        Span<nint> blocks = space[.._blocks];
        _stack.Rent(blocks);
        _stack.Return(blocks);
    }
}
