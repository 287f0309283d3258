using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers;

/// <summary>A row that begins 2 GiB behind the start of its piece of memory: no int counts so far.</summary>
public sealed class RowsBeyondTwoGibibytesTests : IDisposable
{
    private const int Width = 1 << 30;
    private const int X = 5;
    private const int Y = 2;
    private const long Place = ((long)Y * Width) + X;

    private readonly PixelAllocator _allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 0, MemoryPressure = new ManualMemoryPressure { AvailableBytes = 1L << 40 } });

    public RowsBeyondTwoGibibytesTests() => Assert.SkipUnless(OperatingSystem.IsLinux() && IntPtr.Size == 8, "Only pages that are written cost memory here.");

    public void Dispose() => _allocator.Dispose();

    [Fact]
    public unsafe void Its_pixels_are_where_they_belong_for_views_pins_and_streams()
    {
        using PixelBuffer<byte> image = _allocator.Rent<byte>(Width, Y + 1, AllocationOptions.Contiguous);
        Assert.Equal(1, image.BlockCount);
        using PinnedPixels whole = image.Pin();
        using (PixelBuffer<byte> view = image.View(X, Y, 10, 1))
        {
            // Before anything is written there.
            using PinnedPixels part = view.Pin();
            Assert.Equal(Place, part.Address - whole.Address);
            view[0, 0] = 42;
            Assert.Equal(42, ((byte*)whole.Address)[Place]);
        }

        using Stream stream = image.AsStream();
        stream.Position = Place;
        Assert.Equal(42, stream.ReadByte());
        stream.WriteByte(43);
        Assert.Equal(Place + 2, stream.Position);
        Assert.Equal((42, 43), (image[X, Y], image[X + 1, Y]));
    }
}
