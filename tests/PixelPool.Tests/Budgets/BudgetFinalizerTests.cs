using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Budgets;

/// <summary>
/// Charges and scopes whose owner's finalizer disposes them, before or after their guards' own finalizers: each ends once, and none ends another. In child
/// processes: with an empty heap collections are fast.
/// </summary>
public sealed class BudgetFinalizerTests
{
    private const int Block = TestSystem.BlockBytes;
    private const int Owners = 200;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_a_finalizer_disposes_ends_once(bool ownerFirst) => ChildProcess.Run(ForgetOwners, [ownerFirst.ToString()]);

    private static void ForgetOwners(string[] arguments)
    {
        bool ownerFirst = bool.Parse(arguments[0]);
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options => options.MaxRentedBytes = 10_000 * Block);
        var failures = new ConcurrentQueue<Exception>();
        for (int round = 0; round < 5; round++)
        {
            Forget(allocator, failures, ownerFirst);
            Collector.CollectAll();
            Assert.Empty(failures);
            Assert.Empty(allocator.GetOutstandingRents());
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal((0L, 0L, 0L), (statistics.ChargedBytes, statistics.ExternalBytes, statistics.RentedBytes));
            AssertGuardsAreWhole(allocator);
        }
    }

    // A guard that was parked although its finalizer was due would be ended under its new owner.
    private static void AssertGuardsAreWhole(PixelAllocator allocator)
    {
        ExternalCharge[] charges = [.. Enumerable.Range(0, 4 * Owners).Select(_ => allocator.ChargeExternal(Block))];
        Collector.CollectAll();
        Assert.Equal(4L * Owners * Block, allocator.GetStatistics().ExternalBytes);
        Assert.Equal(4 * Owners, allocator.GetOutstandingRents().Count);
        foreach (ExternalCharge charge in charges)
        {
            charge.Dispose();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator, ConcurrentQueue<Exception> failures, bool ownerFirst)
    {
        for (int i = 0; i < Owners; i++)
        {
            FinalizedOwner<IDisposable[]>? owner = ownerFirst ? new(DisposeAll, failures) : null;
            RentScope scope = allocator.ReserveScope(4 * Block);
            scope.ReserveScope(Block).Rent<byte>(Block, 1);
            scope.ChargeExternal(Block);
            ExternalCharge charge = allocator.ChargeExternal(Block);
            owner ??= new(DisposeAll, failures);
            owner.Held = [scope, charge];
        }
    }

    private static void DisposeAll(IDisposable[] held)
    {
        foreach (IDisposable one in held)
        {
            one.Dispose();
        }
    }
}
