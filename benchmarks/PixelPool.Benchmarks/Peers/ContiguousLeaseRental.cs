namespace PixelPool.Benchmarks.Peers;

/// <summary>An image in one piece, as a struct.</summary>
internal readonly struct ContiguousLeaseRental : IRental<ContiguousLeaseRental>
{
    private readonly PixelLease<byte> _image;

    private ContiguousLeaseRental(PixelLease<byte> image) => _image = image;

    public static ContiguousLeaseRental Rent(int bytes) =>
        new(Pool.Allocator.Lease<byte>(Pages.Bytes, bytes / Pages.Bytes, AllocationOptions.Contiguous));

    public void Touch(int bytes) => _image.ProcessPixelRows(Pages.TouchRows);

    public void FillFirstPage(byte value) => _image.ProcessPixelRows(value, static (accessor, value) => accessor.GetRowSpan(0).Fill(value));

    public void Return() => _image.Dispose();
}
