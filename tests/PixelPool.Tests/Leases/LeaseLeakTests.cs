using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Leases;

/// <summary>Forgotten leases come back, others do not. In child processes, so that only the test decides when garbage is collected.</summary>
[Trait("Category", "Long")]
public class LeaseLeakTests
{
    private const int Rounds = 3;
    private const int PerRound = 2;

    private static PixelLease<uint> s_reachable;

    public static TheoryData<string> Runtimes => LeakTests.Runtimes;

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Forgotten_leases_come_back(string runtime) => Run(ForgetLeases, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Forgotten_buffers_of_leases_come_back(string runtime) => Run(ForgetBuffers, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Leases_that_are_used_stay(string runtime) => Run(UseLeases, runtime);

    /// <summary>The memory of both comes from the same guard. What the open scope remembers of its own lease must not reach the other's.</summary>
    [Theory]
    [MemberData(nameof(Runtimes))]
    public void A_scope_that_stays_open_does_not_hide_what_a_later_one_forgot(string runtime) => Run(ForgetBesideAnOpenScope, runtime);

    private static void Run(Action body, string runtime) =>
        ChildProcess.Run(body, runtime.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static void ForgetLeases()
    {
        CheckLeaks(static rental => rental.Lease().Fill(1));
        CheckLeaks(static rental => GC.KeepAlive((object)rental.Lease()));
        CheckLeaks(static rental =>
        {
            // One leak, although there are copies, and a buffer that was disposed.
            var leases = new PixelLease<uint>[2];
            leases[0] = leases[1] = rental.Lease();
            leases[1].AsBuffer().Dispose();
        });
    }

    private static void ForgetBuffers()
    {
        CheckLeaks(static rental =>
        {
            PixelLease<uint> lease = rental.Lease();
            lease.AsBuffer().Fill(1);
            lease.Dispose();
        });
        CheckLeaks(static rental => rental.Lease().AsBuffer().View(0, 0, 1, 1).Fill(2));
    }

    private static void ForgetBesideAnOpenScope()
    {
        using var rental = new Rental(RentKind.OneBlock);
        using var open = new RentScope(rental.Allocator);
        ReturnAtOnce(open);
        ForgetScope(rental.Allocator);
        Collector.CollectAll();
        Assert.Equal(1, rental.Statistics.LeakedCount);
        rental.AssertNothingRented();
        GC.KeepAlive(open);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReturnAtOnce(RentScope scope) => scope.Lease<uint>(100, 100).Dispose();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetScope(PixelAllocator allocator) => new RentScope(allocator).Lease<uint>(100, 100).Fill(1);

    private static void UseLeases() => Rental.ForEachKind(static kind =>
    {
        using var rental = new Rental(kind);
        Hold(rental);
        Collector.CollectAll();
        s_reachable.AssertHolds(8);
        s_reachable.Dispose();
        s_reachable = default;

        // The only handle is the call itself.
        Process(rental);
        Collector.CollectAll();
        Assert.Equal(1, rental.Statistics.LeakedCount);
        rental.AssertNothingRented();
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Hold(Rental rental)
    {
        s_reachable = rental.Lease();
        s_reachable.Fill(8);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Process(Rental rental) => rental.Lease().ProcessPixelRows(rental, static (rows, rental) =>
    {
        Collector.CollectAll();
        Assert.Equal(0, rental.Statistics.LeakedCount);
        rows.AssertStillHeld(rental);
    });

    private static void CheckLeaks(Action<Rental> leak) => Rental.ForEachKind(kind =>
    {
        using var rental = new Rental(kind);
        long leakedBytes = PerRound * (kind == RentKind.Slab ? rental.HeldBytes : rental.HeldBytes);
        for (int round = 1; round <= Rounds; round++)
        {
            Leak(rental, leak);
            Collector.CollectAll();
            PixelPoolStatistics after = rental.Statistics;
            Assert.Equal(0, after.RentedBytes);
            Assert.Equal((PerRound * round, round * leakedBytes), (after.LeakedCount, after.LeakedBytes));
        }

        // What came back serves leases that are like any other.
        long leaked = rental.Statistics.LeakedCount;
        for (int i = 0; i < 3; i++)
        {
            PixelLease<uint> lease = rental.Lease();
            lease.ProcessPixelRows(rows => rows.AssertStillHeld(rental));
            lease.Dispose();
            lease.Dispose();
        }

        Collector.CollectAll();
        Assert.Equal(leaked, rental.Statistics.LeakedCount);
        rental.AssertNothingRented();
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Leak(Rental rental, Action<Rental> leak)
    {
        for (int i = 0; i < PerRound; i++)
        {
            leak(rental);
        }
    }
}
