using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>Limits above the most bytes that a budget counts, which are 2⁶² − 1.</summary>
public sealed class HugeBudgetTests : IDisposable
{
    private const long Most = (1L << 62) - 1;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public HugeBudgetTests() => _allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = long.MaxValue);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        Assert.Equal((0L, 0L), (_allocator.GetStatistics().ChargedBytes, _allocator.GetStatistics().WaitingRents));
        _allocator.Dispose();
        _system.Dispose();
    }

    /// <summary>Nobody is told to try again what can never be.</summary>
    [Fact]
    public async Task What_they_never_hold_is_more_than_all_of_them()
    {
        using RentScope scope = _allocator.CreateScope(long.MaxValue);
        foreach (long bytes in (long[])[Most + 1, long.MaxValue])
        {
            Assert.EndsWith(" is more than the whole budget of the allocator \"PixelAllocator\" (4 EiB). Its limit is PixelAllocatorOptions.MaxRentedBytes.", MessageOf(() => _allocator.ChargeExternal(bytes)), StringComparison.Ordinal);
            Assert.Contains(" is more than the whole budget of a scope", MessageOf(() => scope.ReserveScope(bytes)), StringComparison.Ordinal);
            await Assert.ThrowsAsync<PixelBudgetExceededException>(async () => await _allocator.ReserveScopeAsync(bytes, Token));
        }

        using (_allocator.ChargeExternal(Most))
        {
            Assert.Contains(": 0 B of ", MessageOf(() => _allocator.ChargeExternal(1)), StringComparison.Ordinal);
        }
    }

    /// <summary>No small request is kept waiting for what nobody can leave to it.</summary>
    [Fact]
    public async Task Who_waits_for_all_of_one_is_let_in_beside_others()
    {
        ExternalCharge all = _allocator.ChargeExternal(Most);
        Task<RentScope> first = _allocator.ReserveScopeAsync(Most, Token).AsTask();
        Task<RentScope> small = _allocator.ReserveScopeAsync(100, Token).AsTask();
        Task<RentScope> last = _allocator.ReserveScopeAsync(Most, Token).AsTask();
        all.Dispose();
        foreach (Task<RentScope> next in (Task<RentScope>[])[small, first, last])
        {
            (await next.WaitAsync(TimeSpan.FromSeconds(20), Token)).Dispose();
        }
    }

    private static string MessageOf(Action request) => Assert.Throws<PixelBudgetExceededException>(request).Message;
}
