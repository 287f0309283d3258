using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Leases;

/// <summary>A lease as a buffer: one more reference on the memory, which ends by itself.</summary>
public class LeaseBufferTests
{
    public static TheoryData<RentKind> Kinds => DisposalTests.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Buffer_shows_the_pixels_of_the_lease(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        using (PixelBuffer<uint> buffer = lease.AsBuffer())
        {
            Assert.Equal((lease.Width, lease.Height, lease.Stride), (buffer.Width, buffer.Height, buffer.Stride));
            Assert.Equal(
                (lease.RowsPerBlock, lease.BlockCount, lease.IsContiguous), (buffer.RowsPerBlock, buffer.BlockCount, buffer.IsContiguous));
            buffer.Fill(4);
            lease.AssertHolds(4);
            lease.Fill(5);
            Assert.Equal(5u, buffer[buffer.Width - 1, buffer.Height - 1]);
            Assert.Equal(rental.HeldBytes, rental.Statistics.RentedBytes);
        }

        lease.AssertHolds(5);
        lease.Dispose();
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Buffer_keeps_the_memory_after_the_lease(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        PixelBuffer<uint> buffer = lease.AsBuffer();
        lease.Dispose();
        Assert.True(lease.IsDisposed);
        Assert.False(buffer.IsDisposed);
        buffer.ProcessPixelRows(rows => rows.AssertStillHeld(rental));

        // The buffer's reference is no second owner.
        lease.Dispose();
        Assert.Throws<ObjectDisposedException>(() => lease.AsBuffer());
        Assert.Throws<ObjectDisposedException>(() => lease.ProcessPixelRows(static _ => { }));
        Assert.False(buffer.IsDisposed);
        buffer.ProcessPixelRows(rows => rows.AssertStillHeld(rental));

        buffer.Dispose();
        Assert.True(buffer.IsDisposed);
        buffer.Dispose();
        lease.Dispose();
        Assert.Throws<ObjectDisposedException>(() => buffer[0, 0]);
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Lease_keeps_the_memory_after_the_buffer(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        PixelBuffer<uint> buffer = lease.AsBuffer();
        PixelBuffer<uint> other = lease.AsBuffer();
        buffer.Dispose();
        buffer.Dispose();
        Assert.True(buffer.IsDisposed);
        Assert.False(other.IsDisposed);
        Assert.False(lease.IsDisposed);
        lease.ProcessPixelRows(rows => rows.AssertStillHeld(rental));
        other.Dispose();
        other.Dispose();
        lease.ProcessPixelRows(rows => rows.AssertStillHeld(rental));
        lease.Dispose();
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Views_and_pins_of_the_buffer_hold_the_memory(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        PixelBuffer<uint> buffer = lease.AsBuffer();
        PixelBuffer<uint> view = buffer.View(1, 1, 2, 2);
        PixelBuffer<uint> corner = view.View(1, 1, 1, 1);
        PinnedPixels pin = corner.Pin();
        lease.Fill(9);
        foreach (IDisposable owner in (IDisposable[])[lease, buffer, view, corner])
        {
            Assert.Equal(9u, Pixel(pin));
            owner.Dispose();
            Assert.NotEqual(0, rental.Statistics.RentedBytes);
        }

        lease.Dispose();
        Assert.Equal(9u, Pixel(pin));
        pin.Dispose();
        rental.AssertNothingRented();

        static unsafe uint Pixel(PinnedPixels pin) => *(uint*)pin.Pointer;
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Stale_buffer_does_not_touch_the_next_lease(RentKind kind)
    {
        using var rental = new Rental(kind);
        for (int round = 0; round < 10; round++)
        {
            PixelLease<uint> lease = rental.Lease();
            PixelBuffer<uint> stale = lease.AsBuffer();
            PixelBuffer<uint> view = stale.View(0, 0, 1, 1);
            stale.Dispose();
            lease.Dispose();
            view.Dispose();
            using PixelLease<uint> next = rental.Lease();
            stale.Dispose();
            view.Dispose();
            Assert.True(stale.IsDisposed && view.IsDisposed);
            Assert.Throws<ObjectDisposedException>(() => stale.Fill(1));
            Assert.Throws<ObjectDisposedException>(() => view.Fill(1));
            Assert.Equal(rental.HeldBytes, rental.Statistics.RentedBytes);
            next.ProcessPixelRows(rows => rows.AssertStillHeld(rental));
        }

        rental.AssertNothingRented();
    }
}
