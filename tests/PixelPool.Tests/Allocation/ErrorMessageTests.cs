using System.Buffers;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Allocation;

/// <summary>Errors name what the user had in his hands, and say what is true of it.</summary>
public class ErrorMessageTests
{
    private readonly PixelAllocator _allocator = TierSizes.Create(MemoryTier.OneBlock);

    [Fact]
    public void Default_value_of_a_lease_was_never_rented()
    {
        PixelLease<uint> nothing = default;
        AssertNeverRented(() => nothing.ProcessPixelRows(static _ => { }));
        AssertNeverRented(() => nothing.ProcessPixelRows(1, static (_, _) => { }));
        AssertNeverRented(() => nothing.AsBuffer());
        Assert.Equal("0 x 0 UInt32, never rented", nothing.ToString());
        Assert.True(nothing.IsDisposed);

        static void AssertNeverRented(Action use) =>
            AssertDisposed("PixelLease<UInt32>", "This PixelLease<UInt32> is the default value: it was never rented.", use);
    }

    [Fact]
    public void Default_values_of_other_structs_were_never_rented()
    {
        ReadOnlyPixelBuffer<uint> image = default;
        PlanarLease planes = default;
        AssertDisposed("ReadOnlyPixelBuffer<UInt32>", "This ReadOnlyPixelBuffer<UInt32> is the default value: it was never rented.", () => _ = image.Width);
        AssertDisposed("PlanarLease", "This PlanarLease is the default value: it was never rented.", () => _ = planes.Layout);
        AssertDisposed("PlanarLease", "This PlanarLease is the default value: it was never rented.", () => planes.GetPlane(0));
    }

    [Fact]
    public void Disposed_things_are_called_what_they_are()
    {
        PixelLease<uint> lease = _allocator.Lease<uint>(2, 2);
        PixelBuffer<uint> image = _allocator.Rent<uint>(2, 2);
        PinnedPixels pin = image.Pin();
        IMemoryOwner<ushort> owner = _allocator.Allocate<ushort>(2);
        IMemoryOwner<byte> pooled = _allocator.AsMemoryPool().Rent(2);
        lease.Dispose();
        pin.Dispose();
        image.Dispose();
        owner.Dispose();
        pooled.Dispose();
        AssertDisposed("PixelLease<UInt32>", () => lease.AsBuffer());
        AssertDisposed("PixelLease<UInt32>", () => lease.ProcessPixelRows(static _ => { }));
        AssertDisposed("PixelBuffer<UInt32>", () => image.Clear());
        AssertDisposed("PixelBuffer<UInt32>", () => image.DangerousGetRowSpan(0));
        AssertDisposed("PinnedPixels", () => Touch(pin));
        AssertDisposed("IMemoryOwner<UInt16>", () => _ = owner.Memory);
        AssertDisposed("IMemoryOwner<Byte>", () => _ = pooled.Memory);
    }

    [Fact]
    public void Memory_of_a_disposed_thing_names_that()
    {
        PixelBuffer<uint> image = _allocator.Rent<uint>(2, 2);
        IMemoryOwner<ushort> owner = _allocator.Allocate<ushort>(2);
        Assert.True(image.DangerousTryGetSinglePixelMemory(out Memory<uint> pixels));
        ReadOnlyMemory<byte> bytes = image.AsReadOnlySequence().First;
        Memory<ushort> owned = owner.Memory;
        image.Dispose();
        owner.Dispose();
        AssertDisposed("PixelBuffer<UInt32>", () => _ = pixels.Span);
        AssertDisposed("PixelBuffer<UInt32>", () => pixels.Pin());
        AssertDisposed("PixelBuffer<UInt32>", () => _ = bytes.Span);
        AssertDisposed("IMemoryOwner<UInt16>", () => _ = owned.Span);
        AssertDisposed("IMemoryOwner<UInt16>", () => owned.Pin());
    }

    [Fact]
    public void Pixel_types_of_every_shape_can_be_read()
    {
        PixelBuffer<Planes<byte>.Pair<Rgb24>> image = _allocator.Rent<Planes<byte>.Pair<Rgb24>>(2, 1);
        Assert.Equal("2 x 1 ErrorMessageTests.Planes<Byte>.Pair<Rgb24>, 8 B in 1 piece", image.ToString());
        image.Dispose();
        AssertDisposed("PixelBuffer<ErrorMessageTests.Planes<Byte>.Pair<Rgb24>>", () => image.Clear());
        using PixelLease<(ushort, Planes<byte>.Plain)> lease = _allocator.Lease<(ushort, Planes<byte>.Plain)>(1, 1);
        Assert.StartsWith("1 x 1 ValueTuple<UInt16, ErrorMessageTests.Planes<Byte>.Plain>, ", lease.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Rows_are_counted_where_they_are_asked_for()
    {
        using PixelBuffer<uint> image = _allocator.Rent<uint>(2, 1);
        var error = Assert.Throws<ArgumentOutOfRangeException>(() => image.DangerousGetRowSpan(1));
        Assert.StartsWith("Row 1 is out of range. It must be 0 to 0.", error.Message, StringComparison.Ordinal);

        // A band is no image.
        using PixelBuffer<uint> large = _allocator.Rent<uint>(2, 6);
        var band = (ArgumentOutOfRangeException)Assert.Throws<AggregateException>(
            () => large.ProcessPixelRowsInParallel(static rows => rows.GetRowSpan(3), maxDegreeOfParallelism: 1)).InnerExceptions[0];
        Assert.Matches(
            "^Row 3 is out of range\\. It must be 0 to [01](\\.|: it is counted from the first row of this band, which is row [1-5] of the image \\(FirstRow\\)\\.)", band.Message);
    }

    private static unsafe void Touch(PinnedPixels pin) => _ = pin.Pointer;

    private static void AssertDisposed(string name, Action use) => AssertDisposed(name, $"This {name} was disposed.", use);

    private static void AssertDisposed(string name, string message, Action use)
    {
        var error = Assert.Throws<ObjectDisposedException>(use);
        Assert.Equal(name, error.ObjectName);
        Assert.Equal(message, error.Message.Split('\n', '\r')[0]);
    }

#pragma warning disable CS0169, CS0649, CA1823, IDE0044, IDE0051 // only its shape matters
    private struct Planes<TValue>
        where TValue : unmanaged
    {
        private TValue _value;

        public struct Pair<TOther>
            where TOther : unmanaged
        {
            private TValue _first;
            private TOther _second;
        }

        public struct Plain
        {
            private TValue _value;
        }
    }
#pragma warning restore CS0169, CS0649, CA1823, IDE0044, IDE0051
}
