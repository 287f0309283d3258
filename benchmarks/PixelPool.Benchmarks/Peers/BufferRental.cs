namespace PixelPool.Benchmarks.Peers;

/// <summary>An image as an object.</summary>
internal readonly struct BufferRental : IRental<BufferRental>
{
    private readonly PixelBuffer<byte> _image;

    private BufferRental(PixelBuffer<byte> image) => _image = image;

    public static BufferRental Rent(int bytes) => new(Pool.Allocator.Rent<byte>(Pages.Bytes, bytes / Pages.Bytes));

    public void Touch(int bytes) => _image.ProcessPixelRows(Pages.TouchRows);

    public void FillFirstPage(byte value) => _image.ProcessPixelRows(value, static (accessor, value) => accessor.GetRowSpan(0).Fill(value));

    public void Return() => _image.Dispose();
}
