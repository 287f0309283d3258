using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Leases;

/// <summary>While a delegate runs its pixels stay, whatever happens to the lease and to the variable that holds it; afterwards nothing is left.</summary>
public class LeaseDelegateTests
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    public static TheoryData<RentKind> Kinds => DisposalTests.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Dispose_inside_the_delegate(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        lease.ProcessPixelRows(rows =>
        {
            lease.Dispose();
            AssertUnavailable(lease);
            rows.AssertStillHeld(rental);

            // Neither takes the delegate's reference.
            AssertUnavailable(lease);
            rows.AssertStillHeld(rental);
        });
        AssertUnavailable(lease);
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Dispose_inside_the_delegate_with_a_state(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        lease.ProcessPixelRows((rental, lease), static (rows, state) =>
        {
            state.lease.Dispose();
            AssertUnavailable(state.lease);
            rows.AssertStillHeld(state.rental);
        });
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Dispose_inside_nested_delegates(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        lease.ProcessPixelRows(outer =>
        {
            lease.ProcessPixelRows(1, (inner, _) =>
            {
                lease.Dispose();
                AssertUnavailable(lease);
                inner.AssertStillHeld(rental);
            });
            AssertUnavailable(lease);
            outer.AssertStillHeld(rental);
        });
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Dispose_from_another_thread_during_the_delegate(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        using var inside = new ManualResetEventSlim();
        using var disposed = new ManualResetEventSlim();
        Simultaneously.Run(2, thread =>
        {
            if (thread == 0)
            {
                Assert.True(inside.Wait(s_timeLimit));
                lease.Dispose();
                disposed.Set();
                return;
            }

            lease.ProcessPixelRows(rows =>
            {
                inside.Set();
                Assert.True(disposed.Wait(s_timeLimit));
                AssertUnavailable(lease);
                rows.AssertStillHeld(rental);
            });
        });
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Exception_leaves_nothing_behind(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelLease<uint> lease = rental.Lease();
        Assert.Throws<InvalidTimeZoneException>(() => lease.ProcessPixelRows(static _ => throw new InvalidTimeZoneException()));
        Assert.Throws<InvalidTimeZoneException>(() => lease.ProcessPixelRows(1, static (_, _) => throw new InvalidTimeZoneException()));
        Assert.Throws<ArgumentOutOfRangeException>(() => lease.ProcessPixelRows(static rows => rows.GetRowSpan(rows.Height)));
        Assert.Throws<ArgumentOutOfRangeException>(() => lease.ProcessPixelRows(static rows => rows.GetRowSpan(-1)));
        lease.Fill(1);
        Assert.Throws<InvalidTimeZoneException>(() => lease.ProcessPixelRows(_ =>
        {
            lease.Dispose();
            throw new InvalidTimeZoneException();
        }));
        AssertUnavailable(lease);
        rental.AssertNothingRented();
    }

    [Fact]
    public void Default_accessor_has_no_rows()
    {
        PixelAccessor<uint> nothing = default;
        Assert.Equal((0, 0, 0), (nothing.Width, nothing.Height, nothing.FirstRow));
        foreach (Span<uint> row in nothing)
        {
            Assert.Fail($"a row of {row.Length} pixels");
        }

        bool refused = false;
        try
        {
            nothing.GetRowSpan(0);
        }
        catch (ArgumentOutOfRangeException)
        {
            refused = true;
        }

        Assert.True(refused);
    }

    private static void AssertUnavailable(PixelLease<uint> lease)
    {
        Assert.True(lease.IsDisposed);
        lease.Dispose();
        Assert.Throws<ObjectDisposedException>(() => lease.ProcessPixelRows(static _ => { }));
        Assert.Throws<ObjectDisposedException>(() => lease.ProcessPixelRows(1, static (_, _) => { }));
        Assert.Throws<ObjectDisposedException>(() => lease.AsBuffer());
    }
}
