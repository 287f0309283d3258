using PixelPool.Tests.Leases;
using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Stress;

/// <summary>
/// One lease on several threads, each with its copy: they use it, take buffers and views of it, and all dispose it, inside of delegates and outside.
/// One of them returns it, the others are counted, and the memory goes back when the last one lets go of it.
/// </summary>
[Trait("Category", "Long")]
public class LeaseOwnershipTests
{
    private const uint Cookie = 0xC0FF_EE00;

    private PixelLease<uint> _lease;
    private int _disposals;
    private long _secondReturns;

    public static TheoryData<RentKind> Kinds => DisposalTests.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void One_of_all_returns_it(RentKind kind)
    {
        int seed = Random.Shared.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        OwnershipRounds.Run(kind, seed, Begin, Act, End);
    }

    private void Begin(Rental rental)
    {
        _disposals = 0;
        _secondReturns = rental.Statistics.SecondReturns;
        _lease = rental.Lease();
        _lease.Fill(Cookie);
    }

    private void End(Rental rental) => Assert.Equal(1, _disposals - (rental.Statistics.SecondReturns - _secondReturns));

    private void Act(Rental rental, Random random)
    {
        PixelLease<uint> lease = _lease;
        for (int steps = random.Next(4); steps > 0; steps--)
        {
            Step(lease, rental, random.Next(6));
        }

        Dispose(lease);
        Assert.True(lease.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => lease.ProcessPixelRows(static _ => { }));
        Dispose(lease);
    }

    private void Step(PixelLease<uint> lease, Rental rental, int choice)
    {
        bool wasDisposed = lease.IsDisposed;
        try
        {
            switch (choice)
            {
                case 0:
                    lease.ProcessPixelRows(rows =>
                    {
                        AssertMine(rows);
                        Dispose(lease);
                        Overwrite(rental);
                        AssertMine(rows);
                    });
                    break;

                case 1:
                    lease.ProcessPixelRows(1, static (rows, _) => AssertMine(rows));
                    break;

                case 2:
                    using (PixelBuffer<uint> buffer = lease.AsBuffer())
                    {
                        Dispose(lease);
                        Overwrite(rental);
                        buffer.ProcessPixelRows(AssertMine);
                        Assert.False(buffer.IsDisposed);
                    }

                    break;

                case 3:
                    PixelBuffer<uint> whole = lease.AsBuffer();
                    using (PixelBuffer<uint> view = whole.View(1, 1, 2, 2))
                    {
                        whole.Dispose();
                        whole.Dispose();
                        Overwrite(rental);
                        view.ProcessPixelRows(AssertMine);
                    }

                    break;

                case 4:
                    Overwrite(rental);
                    break;

                default:
                    Dispose(lease);
                    break;
            }

            Assert.True(!wasDisposed || choice is 4 or 5, "a disposed lease was used");
        }
        catch (ObjectDisposedException)
        {
            Assert.True(lease.IsDisposed);
        }
    }

    // Had the memory gone back, the cookie would be gone now.
    private static void Overwrite(Rental rental)
    {
        using PixelLease<uint> other = rental.Lease();
        other.ProcessPixelRows(static rows =>
        {
            rows.GetRowSpan(0).Clear();
            rows.GetRowSpan(1).Clear();
            rows.GetRowSpan(rows.Height - 1).Clear();
        });
    }

    private static void AssertMine(PixelAccessor<uint> rows)
    {
        Assert.Equal(-1, rows.GetRowSpan(0).IndexOfAnyExcept(Cookie));
        Assert.Equal(-1, rows.GetRowSpan(rows.Height - 1).IndexOfAnyExcept(Cookie));
    }

    private void Dispose(PixelLease<uint> lease)
    {
        Interlocked.Increment(ref _disposals);
        lease.Dispose();
        Assert.True(lease.IsDisposed);
    }
}
