namespace PixelPool.Benchmarks.Peers;

/// <summary>An image in one piece, as an object.</summary>
internal readonly struct ContiguousBufferRental : IRental<ContiguousBufferRental>
{
    private readonly PixelBuffer<byte> _image;

    private ContiguousBufferRental(PixelBuffer<byte> image) => _image = image;

    public static ContiguousBufferRental Rent(int bytes) =>
        new(Pool.Allocator.Rent<byte>(Pages.Bytes, bytes / Pages.Bytes, AllocationOptions.Contiguous));

    public void Touch(int bytes) => _image.ProcessPixelRows(Pages.TouchRows);

    public void FillFirstPage(byte value) => _image.ProcessPixelRows(value, static (accessor, value) => accessor.GetRowSpan(0).Fill(value));

    public void Return() => _image.Dispose();
}
