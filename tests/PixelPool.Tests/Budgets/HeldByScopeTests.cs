using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>Whatever a scope holds is held by who waits through that scope: if nobody else holds anything, that is a deadlock.</summary>
public sealed class HeldByScopeTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(20);

    // A handle of each kind, of one block or less.
    private static readonly Dictionary<string, Func<RentScope, object>> s_kinds = new()
    {
        ["buffer"] = static scope => scope.Rent<byte>(Block, 1),
        ["small buffer"] = static scope => scope.Rent<byte>(8, 8),
        ["lease"] = static scope => scope.Lease<byte>(Block, 1).Width,
        ["memory"] = static scope => scope.Allocate<byte>(Block / 2),
        ["array of structs"] = static scope => scope.AllocateStructs<long>(16),
        ["planar image"] = static scope => scope.RentPlanar(PlanarLayout.Yuv420(64, 64)),
        ["external charge"] = static scope => scope.ChargeExternal(100),
        ["reservation"] = static scope => scope.ReserveScope(Block),
        ["buffer of a scope in it"] = static scope => scope.CreateScope(Block).Rent<byte>(Block, 1),
        ["stream"] = static scope => Filled(new PixelPoolStream(scope)),
    };

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;
    private readonly TaskCompletionSource<LongWaitEventArgs> _report = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public HeldByScopeTests()
    {
        _system.Time.FireNewTimersAtOnce = false;
        _allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 4 * Block);
        _allocator.LongWait += (_, report) => _report.TrySetResult(report);
    }

    public static TheoryData<string> Kinds => [.. s_kinds.Keys];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Who_waits_for_what_its_own_scope_holds_waits_for_ever(string kind)
    {
        using var scope = new RentScope(_allocator);
        object held = s_kinds[kind](scope);
        LongWaitEventArgs report = await FillAndWaitAsync(scope);
        Assert.True(report.IsDeadlock, report.ToString());
        GC.KeepAlive(held);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Who_waits_for_what_another_scope_holds_does_not(string kind)
    {
        using var other = new RentScope(_allocator);
        object held = s_kinds[kind](other);
        using var scope = new RentScope(_allocator);
        LongWaitEventArgs report = await FillAndWaitAsync(scope);
        Assert.False(report.IsDeadlock, report.ToString());
        GC.KeepAlive(held);
    }

    [Fact]
    public async Task Who_waits_for_what_a_view_of_an_image_holds_that_its_scope_disposed_does_not()
    {
        using var scope = new RentScope(_allocator);
        PixelBuffer<byte> image = scope.Rent<byte>(Block, 1);
        using PixelBuffer<byte> view = image.View(0, 0, 1, 1);
        image.Dispose();
        LongWaitEventArgs report = await FillAndWaitAsync(scope);
        Assert.False(report.IsDeadlock, report.ToString());
    }

    private static PixelPoolStream Filled(PixelPoolStream stream)
    {
        stream.Write(new byte[Block]);
        return stream;
    }

    // The scope rents what is left, and one block more.
    private async Task<LongWaitEventArgs> FillAndWaitAsync(RentScope scope)
    {
        while (scope.TryRent<byte>(Block, 1, out _))
        {
        }

        using var cancelled = new CancellationTokenSource();
        Task<PixelBuffer<byte>> waiting = scope.RentAsync<byte>(Block, 1, cancellationToken: cancelled.Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(6));
        LongWaitEventArgs report = await _report.Task.WaitAsync(s_limit, Token);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        return report;
    }
}
