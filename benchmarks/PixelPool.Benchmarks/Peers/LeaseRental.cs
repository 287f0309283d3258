namespace PixelPool.Benchmarks.Peers;

/// <summary>An image as a struct.</summary>
internal readonly struct LeaseRental : IRental<LeaseRental>
{
    private readonly PixelLease<byte> _image;

    private LeaseRental(PixelLease<byte> image) => _image = image;

    public static LeaseRental Rent(int bytes) => new(Pool.Allocator.Lease<byte>(Pages.Bytes, bytes / Pages.Bytes));

    public void Touch(int bytes) => _image.ProcessPixelRows(Pages.TouchRows);

    public void FillFirstPage(byte value) => _image.ProcessPixelRows(value, static (accessor, value) => accessor.GetRowSpan(0).Fill(value));

    public void Return() => _image.Dispose();
}
