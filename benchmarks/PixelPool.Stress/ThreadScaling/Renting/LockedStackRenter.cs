namespace PixelPool.Stress.ThreadScaling.Renting;

/// <summary>The simplest pool there is, and the measure of all others: blocks on a stack behind one lock.</summary>
internal readonly struct LockedStackRenter(RentWorkload workload) : IRenter
{
    private const int MostBlocks = 16;

    private readonly LockedStack _stack = new();
    private readonly int _blocks = Math.Max(1, workload.Bytes / RentWorkload.BlockBytes);

    public void RentAndReturn()
    {
        Span<nint> space = stackalloc nint[MostBlocks];
        Span<nint> blocks = space[.._blocks];
        _stack.Rent(blocks);
        _stack.Return(blocks);
    }
}
