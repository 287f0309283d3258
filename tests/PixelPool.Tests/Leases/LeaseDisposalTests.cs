using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Leases;

/// <summary>A lease is returned once, whichever copy of it is used: every further <c>Dispose</c> does nothing and is counted, and all other use throws.</summary>
public class LeaseDisposalTests
{
    private const int Threads = 6;

    public static TheoryData<RentKind> Kinds => DisposalTests.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Second_dispose_does_nothing_and_is_counted(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        PixelLease<uint> copy = lease;
        Assert.Equal(rental.HeldBytes, rental.Statistics.RentedBytes);
        Assert.False(lease.IsDisposed);
        lease.Dispose();
        Assert.True(lease.IsDisposed);
        Assert.True(copy.IsDisposed);
        Assert.Equal(0, rental.Statistics.SecondReturns);
        AssertGone(lease);
        AssertGone(copy);
        rental.AssertNothingRented();
        Assert.Equal((2, 0), (rental.Statistics.SecondReturns, rental.Statistics.LeakedCount));
    }

    [Fact]
    public void Exception_that_leaves_a_using_block_is_not_hidden()
    {
        using var rental = new Rental(RentKind.OneBlock);
        Assert.Throws<InvalidTimeZoneException>(Fail);
        Assert.Equal(1, rental.Statistics.SecondReturns);
        Assert.Contains("1 disposed twice", rental.Statistics.ToString(), StringComparison.Ordinal);

        void Fail()
        {
            using PixelLease<uint> lease = rental.Lease();
            lease.Dispose();
            throw new InvalidTimeZoneException();
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Boxed_copy_is_the_same_lease(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        IDisposable boxed = lease;
        boxed.Dispose();
        boxed.Dispose();
        Assert.Equal(1, rental.Statistics.SecondReturns);
        AssertGone(lease);
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Sizes_of_a_disposed_lease_can_still_be_read(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        (int, int, int, int, int, bool) before = Describe();
        lease.Dispose();
        Assert.Equal(before, Describe());

        (int, int, int, int, int, bool) Describe() =>
            (lease.Width, lease.Height, lease.Stride, lease.RowsPerBlock, lease.BlockCount, lease.IsContiguous);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Stale_lease_does_not_touch_the_next_rents(RentKind kind)
    {
        using var rental = new Rental(kind);
        var stale = new List<PixelLease<uint>>();
        for (int round = 0; round < 20; round++)
        {
            PixelLease<uint> next = rental.Lease();
            PixelBuffer<uint> buffer = rental.Rent();
            next.Fill(5);
            buffer.Fill(6);
            long rented = rental.Statistics.RentedBytes;
            Assert.All(stale, AssertGone);
            Assert.Equal(rented, rental.Statistics.RentedBytes);
            next.AssertHolds(5);
            Assert.Equal(6u, buffer[buffer.Width - 1, buffer.Height - 1]);

            // In turns, so that guards are reused by leases and by buffers.
            next.Dispose();
            buffer.Dispose();
            Assert.True(buffer.IsDisposed);
            stale.Add(next);
        }

        rental.AssertNothingRented();
        Assert.Equal(0, rental.Statistics.LeakedCount);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Of_simultaneous_disposes_one_succeeds(RentKind kind)
    {
        using var rental = new Rental(kind);
        for (int round = 0; round < 30; round++)
        {
            PixelLease<uint> lease = rental.Lease();
            Simultaneously.Run(Threads, _ =>
            {
                PixelLease<uint> mine = lease;
                mine.Dispose();
            });
            Assert.Equal((round + 1) * (Threads - 1), rental.Statistics.SecondReturns);
            Assert.Equal(0, rental.Statistics.RentedBytes);
        }

        rental.AssertNothingRented();
        Assert.Equal(0, rental.Statistics.LeakedCount);
    }

    [Fact]
    public void Of_two_disposes_at_the_same_moment_one_succeeds()
    {
        const int Rounds = 10_000;
        using var rental = new Rental(RentKind.OneBlock);
        PixelLease<uint> lease = default;
        var meeting = new SpinMeeting();
        Simultaneously.Run(2, thread =>
        {
            for (int i = 0; i < Rounds; i++)
            {
                if (thread == 0)
                {
                    lease = rental.Lease();
                }

                meeting.Wait(thread);
                lease.Dispose();
                meeting.Wait(thread);
            }
        });
        Assert.Equal((Rounds, Rounds), (rental.Statistics.Rents, rental.Statistics.SecondReturns));
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Leases_outlive_their_allocator(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        PixelLease<uint> other = rental.Lease();
        rental.Lease().Dispose();
        rental.Allocator.Dispose();
        lease.Fill(1);
        other.Fill(2);
        lease.AssertHolds(1);
        lease.Dispose();
        AssertGone(lease);
        other.AssertHolds(2);
        using (PixelBuffer<uint> buffer = other.AsBuffer())
        {
            other.Dispose();
            Assert.Equal(2u, buffer[0, 0]);
        }

        Assert.Equal(0, rental.Statistics.RentedBytes);
        Assert.Equal(0, rental.Arrays.RentedCount);
        StatisticsAssert.Balanced(rental.Statistics);
        rental.Source.AssertAllFreed();
    }

    [Fact]
    public void Default_value_holds_nothing()
    {
        PixelLease<uint> nothing = default;
        nothing.Dispose();
        nothing.Dispose();
        Assert.True(nothing.IsDisposed);
        Assert.Equal((0, 0, 0, 0, 0, false), (nothing.Width, nothing.Height, nothing.Stride, nothing.RowsPerBlock, nothing.BlockCount, nothing.IsContiguous));
        Assert.StartsWith("0 x 0 UInt32", nothing.ToString(), StringComparison.Ordinal);
        AssertUnusable(nothing);
    }

    [Fact]
    public void Array_of_leases_starts_as_nothing()
    {
        using var rental = new Rental(RentKind.OneBlock);
        var leases = new PixelLease<uint>[3];
        leases[1] = rental.Lease();
        foreach (PixelLease<uint> lease in leases)
        {
            lease.Dispose();
        }

        leases[1].Dispose();
        Assert.Equal(1, rental.Statistics.SecondReturns);
        rental.AssertNothingRented();
    }

    private static void AssertGone(PixelLease<uint> lease)
    {
        lease.Dispose();
        Assert.True(lease.IsDisposed);
        Assert.Equal("PixelLease<UInt32>", Assert.Throws<ObjectDisposedException>(() => lease.AsBuffer()).ObjectName);
        AssertUnusable(lease);
    }

    private static void AssertUnusable(PixelLease<uint> lease)
    {
        Assert.Throws<ObjectDisposedException>(() => lease.ProcessPixelRows(static _ => Called()));
        Assert.Throws<ObjectDisposedException>(() => lease.ProcessPixelRows(1, static (_, _) => Called()));
        Assert.Throws<ObjectDisposedException>(() => lease.AsBuffer());
    }

    private static void Called() => Assert.Fail("The delegate was called.");
}
