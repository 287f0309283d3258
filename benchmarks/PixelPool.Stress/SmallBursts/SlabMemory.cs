namespace PixelPool.Stress.SmallBursts;

/// <summary>Small images, from slabs.</summary>
/// <param name="bytes">Bytes of each image; null: mixed sizes.</param>
internal sealed class SlabMemory(int? bytes = null) : SmallMemory
{
    private readonly PixelAllocator _allocator = PixelAllocator.Create(new PixelAllocatorOptions
    {
        SmallBuffers = SmallBufferStrategy.Slab,
        MaxPooledBytes = long.MaxValue,
        TrimPolicy = TrimPolicy.None,
    });

    public override ISmallPieces CreatePieces(Random random) =>
        new SmallPieces<PixelBuffer<byte>>(() => bytes ?? MixedSize(random), Rent, static image => image.Dispose());

    public override bool Trim()
    {
        bool isReturned = _allocator.GetStatistics().RentedBytes == 0;
        _allocator.Trim();
        return isReturned && IsNothingLeft(_allocator.GetStatistics());
    }

    public override void Dispose() => _allocator.Dispose();

    private PixelBuffer<byte> Rent(int size)
    {
        PixelBuffer<byte> image = _allocator.Rent<byte>(size, 1);
        image.Fill(1);
        return image;
    }
}
