using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Leases;

/// <summary>A delegate may assign the variable that holds its lease: the pixels stay those it began with, and their memory goes back.</summary>
public class LeaseVariableTests
{
    private PixelLease<uint> _lease;

    public static TheoryData<RentKind> Kinds => DisposalTests.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Variable_may_be_emptied_inside_the_delegate(RentKind kind) => AssertOverwritable(kind, static _ => default, static (lease, run) =>
        lease().ProcessPixelRows(rows => run(rows)));

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Variable_may_be_emptied_inside_the_delegate_with_a_state(RentKind kind) => AssertOverwritable(kind, static _ => default, static (lease, run) =>
        lease().ProcessPixelRows(run, static (rows, run) => run(rows)));

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Variable_may_get_another_lease_inside_the_delegate(RentKind kind) => AssertOverwritable(kind, Another, static (lease, run) =>
        lease().ProcessPixelRows(rows => run(rows)));

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Variable_may_get_another_lease_inside_the_delegate_with_a_state(RentKind kind) => AssertOverwritable(kind, Another, static (lease, run) =>
        lease().ProcessPixelRows(run, static (rows, run) => run(rows)));

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Next_frame_may_replace_the_lease_inside_the_delegate(RentKind kind)
    {
        using var rental = new Rental(kind);
        _lease = rental.Lease();
        for (int frame = 0; frame < 20; frame++)
        {
            _lease.ProcessPixelRows(rows =>
            {
                _lease.Dispose();
                _lease = rental.Lease();
                _lease.Fill(3);
                rows.AssertStillHeld(rental);
                _lease.AssertHolds(3);
            });
            Assert.Equal(rental.HeldBytes, rental.Statistics.RentedBytes);
            _lease.AssertHolds(3);
        }

        _lease.Dispose();
        rental.AssertNothingRented();
    }

    // A lease of another size, which was not rented first: its version and its layout are others.
    private static PixelLease<uint> Another(Rental rental)
    {
        rental.Allocator.Lease<uint>(3, 2).Dispose();
        return rental.Allocator.Lease<uint>(3, 2);
    }

    private void AssertOverwritable(RentKind kind, Func<Rental, PixelLease<uint>> replace, Processing process)
    {
        using var rental = new Rental(kind);
        using (rental.Lease())
        {
            for (int i = 0; i < 5; i++)
            {
                rental.Lease().Dispose();
            }

            PixelLease<uint> kept = rental.Lease();
            _lease = kept;
            process(Variable, rows =>
            {
                _lease = replace(rental);
                Assert.Equal((kept.Width, kept.Height), (rows.Width, rows.Height));
                rows.AssertStillHeld(rental);
                Assert.Equal(kept.Width, rows.GetRowSpan(kept.Height - 1).Length);
            });
            _lease.Dispose();
            Assert.False(kept.IsDisposed);
            kept.Dispose();
        }

        rental.AssertNothingRented();
        Assert.Equal(0, rental.Statistics.LeakedCount);
    }

    private ref PixelLease<uint> Variable() => ref _lease;

    private delegate ref PixelLease<uint> LeaseVariable();

    private delegate void Processing(LeaseVariable lease, PixelAccessorAction<uint> run);
}
