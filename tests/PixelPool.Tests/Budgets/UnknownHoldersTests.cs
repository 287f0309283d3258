#if !LIBRARY_NETSTANDARD // there .NET looks for lines while it takes a stack
using System.Diagnostics;
using System.Reflection;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Threading;

namespace PixelPool.Tests.Budgets;

/// <summary>To say who holds most, lines are looked up in symbols. Where that fails whoever is refused hears that nevertheless, and of nobody who holds anything.</summary>
public sealed class UnknownHoldersTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public UnknownHoldersTests() => _allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 4 * Block);

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void There_is_no_memory_for_it() => AssertRefused(static () => throw new OutOfMemoryException(), keepsInterrupt: false);

    [Fact]
    public void An_interrupt_there_is_kept() => AssertRefused(Interrupt, keepsInterrupt: true);

    // At a lock.
    private static void Interrupt()
    {
        Thread.CurrentThread.Interrupt();
        Thread.CurrentThread.Join(0);
    }

    private void AssertRefused(Action lookUp, bool keepsInterrupt)
    {
        using PixelBuffer<byte> held = _allocator.Rent<byte>(Block, 3);
        LifetimeGuard rent = Assert.Single(_allocator.Tracking.Guards.Reachable(), static guard => guard.IsRented);
        rent.OnGranted(new RentTrace(new RentStack(new StackTrace(new FailingFrame(lookUp))), Time: null, Epoch: 0));
        Exception? thrown = Record.Exception(() => _allocator.Rent<byte>(Block, 2));
        Assert.Equal(keepsInterrupt, PendingInterrupt.Take());
        var error = Assert.IsType<PixelBudgetExceededException>(thrown);
        Assert.Contains(": 64 KiB of 256 KiB is left. Dispose what is no longer needed", error.Message, StringComparison.Ordinal);
        Assert.Equal(1, _allocator.GetStatistics().BudgetRefusals);
    }

    private sealed class FailingFrame(Action lookUp) : StackFrame
    {
        public override MethodBase? GetMethod()
        {
            lookUp();
            return null;
        }
    }
}
#endif
