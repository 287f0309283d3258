using PixelPool.Tests.Buffers;
using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Leases;

/// <summary>What a buffer can do, a lease can.</summary>
public class LeaseMemberTests
{
    private static readonly Dictionary<string, Action<PixelLease<uint>>> s_members = new()
    {
        ["get"] = static lease => _ = lease[0, 0],
        ["set"] = static lease => lease[0, 0] = 1,
        ["Clear"] = static lease => lease.Clear(),
        ["Fill"] = static lease => lease.Fill(1),
        ["View"] = static lease => lease.View(0, 0, 1, 1),
        ["Pin"] = static lease => lease.Pin(),
        ["Address"] = static lease => lease.DangerousGetAddress(),
        ["HeldBytes"] = static lease => _ = lease.HeldBytes,
        ["AsBuffer"] = static lease => lease.AsBuffer(),
        ["SingleSpan"] = static lease => lease.TryProcessSinglePixelSpan(static _ => { }),
        ["CopyTo span"] = static lease => lease.CopyTo(new uint[10_000]),
        ["CopyTo stride"] = static lease => lease.CopyTo(new uint[10_000].AsSpan(), 100),
        ["CopyTo bytes"] = static lease => lease.CopyTo(new byte[40_000].AsSpan(), 400),
        ["CopyFrom span"] = static lease => lease.CopyFrom(new uint[10_000]),
        ["CopyFrom stride"] = static lease => lease.CopyFrom(new uint[10_000].AsSpan(), 100),
        ["CopyFrom bytes"] = static lease => lease.CopyFrom(new byte[40_000].AsSpan(), 400),
        ["CopyTo"] = static lease => lease.CopyTo(lease),
        ["CopyFrom"] = static lease => lease.CopyFrom(lease),
        ["1"] = static lease => lease.ProcessPixelRows(static _ => { }),
        ["1 state"] = static lease => lease.ProcessPixelRows(1, static (_, _) => { }),
        ["2"] = static lease => lease.ProcessPixelRows(lease, static (_, _) => { }),
        ["2 state"] = static lease => lease.ProcessPixelRows(lease, 1, static (_, _, _) => { }),
        ["3"] = static lease => lease.ProcessPixelRows(lease, lease, static (_, _, _) => { }),
        ["3 state"] = static lease => lease.ProcessPixelRows(lease, lease, 1, static (_, _, _, _) => { }),
        ["list"] = static lease => lease.ProcessPixelRows<uint, int>([lease], 1, static (_, _, _) => { }),
    };

    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    public static TheoryData<string> Members => [.. s_members.Keys];

    [Theory]
    [MemberData(nameof(Members))]
    public void Every_member_works_and_throws_when_the_lease_is_gone(string member)
    {
        using var rental = new Rental(RentKind.OneBlock);
        PixelLease<uint> lease = rental.Lease();
        PixelLease<uint> view = lease.View(0, 0, 100, 100);
        if (member is "Pin" or "AsBuffer")
        {
            lease.Pin().Dispose();
            lease.AsBuffer().Dispose();
        }
        else
        {
            s_members[member](lease);
            s_members[member](view);
        }

        lease.Dispose();
        Assert.Throws<ObjectDisposedException>(() => s_members[member](lease));
        Assert.Throws<ObjectDisposedException>(() => s_members[member](view));
        Assert.Throws<ObjectDisposedException>(() => s_members[member](default));
        using PixelLease<uint> next = rental.Lease();
        Assert.Throws<ObjectDisposedException>(() => s_members[member](view));
        next.ProcessPixelRows(rows => rows.AssertStillHeld(rental));
        Assert.Equal(0, rental.Statistics.SecondReturns);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Pixels_are_the_same_by_every_way(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelLease<uint> lease = allocator.Lease<uint>(tier);
        using PixelBuffer<uint> buffer = lease.AsBuffer();
        PixelPattern.Write(buffer);
        using PixelBuffer<uint> copy = allocator.Rent<uint>(lease.Width, lease.Height);
        lease.CopyTo(copy.AsLease());
        PixelPattern.AssertHolds(copy);
        copy.Clear();
        copy.AsLease().CopyFrom(lease);
        PixelPattern.AssertHolds(copy);
        uint[] pixels = new uint[lease.Width * lease.Height];
        lease.CopyTo(pixels);
        lease.Clear();
        lease.CopyFrom(pixels);
        PixelPattern.AssertHolds(buffer);
        (int x, int y) = (lease.Width - 1, lease.Height - 1);
        Assert.Equal(PixelPattern.Value<uint>(x, y), lease[x, y]);
        PixelLease<uint> corner = lease.View(x, y, 1, 1);
        Assert.Equal(PixelPattern.Value<uint>(x, y), corner[0, 0]);
        corner[0, 0] = 3;
        Assert.Equal(3u, buffer[x, y]);
        Assert.Throws<ArgumentOutOfRangeException>(() => lease[x + 1, 0]);
        Assert.Throws<ArgumentOutOfRangeException>(() => lease.View(x, y, 2, 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => corner.View(0, 1, 1, 1));
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public unsafe void Address_is_where_the_pixels_are(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelLease<uint> lease = allocator.Lease<uint>(tier);
        if (!lease.IsContiguous)
        {
            Assert.Throws<InvalidMemoryOperationException>(() => lease.DangerousGetAddress());
            Assert.Throws<InvalidMemoryOperationException>(() => lease.Pin());
            return;
        }

        lease[1, 1] = 77;
        nint address = lease.DangerousGetAddress();
        Assert.Equal(77u, *(uint*)(address + lease.Stride + sizeof(uint)));
        using PinnedPixels pin = lease.Pin();
        Assert.Equal(address, (nint)pin.Pointer);
        Assert.Equal(address + lease.Stride + sizeof(uint), lease.View(1, 1, 1, 1).DangerousGetAddress());
    }

    [Fact]
    public void Views_hold_nothing_and_their_disposal_does_nothing()
    {
        using var rental = new Rental(RentKind.OneBlock);
        PixelLease<uint> lease = rental.Lease();
        PixelLease<uint> view = lease.View(1, 1, 5, 5);
        view.Dispose();
        view.Dispose();
        Assert.False(view.IsDisposed);
        view.Fill(1);
        PixelBuffer<uint> buffer = view.AsBuffer();
        lease.Dispose();
        Assert.True(view.IsDisposed);
        Assert.Equal(1u, buffer[4, 4]);
        Assert.Throws<ObjectDisposedException>(() => view.Fill(2));
        buffer.Dispose();
        rental.AssertNothingRented();
        Assert.Equal(0, rental.Statistics.SecondReturns);
    }

    [Fact]
    public void A_borrowed_buffer_ends_with_the_buffer()
    {
        using var rental = new Rental(RentKind.OneBlock);
        PixelBuffer<uint> buffer = rental.Rent();
        PixelBuffer<uint> part = buffer.View(2, 3, 10, 10);
        PixelLease<uint> whole = buffer.AsLease();
        PixelLease<uint> borrowed = part.AsLease();
        borrowed.Fill(8);
        Assert.Equal(8u, whole[2, 3]);
        borrowed.Dispose();
        buffer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => whole[2, 3]);
        Assert.Equal(8u, borrowed[0, 0]);
        part.Dispose();
        Assert.Throws<ObjectDisposedException>(() => borrowed[0, 0]);
        Assert.Throws<ObjectDisposedException>(() => part.AsLease());
        rental.AssertNothingRented();
    }
}
