namespace PixelPool.Stress.SmallBursts;

/// <summary>Objects of one size.</summary>
internal sealed class FixedBlockMemory : SmallMemory
{
    private readonly FixedBlockAllocator<SmallNode> _allocator = new(new PixelAllocatorOptions { MaxPooledBytes = long.MaxValue, TrimPolicy = TrimPolicy.None });

    public override ISmallPieces CreatePieces(Random random) => new SmallNodes(_allocator);

    public override bool Trim()
    {
        bool isReturned = _allocator.Count == 0;
        _allocator.Clear();
        _allocator.Trim();
        return isReturned && IsNothingLeft(_allocator.GetStatistics());
    }

    public override void Dispose() => _allocator.Dispose();
}
