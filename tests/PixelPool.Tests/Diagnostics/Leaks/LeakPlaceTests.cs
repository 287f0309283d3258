using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>A leak names the line that rented, whatever was forgotten and wherever its memory came from.</summary>
[Trait("Category", "Long")]
public class LeakPlaceTests
{
    private static string s_place = string.Empty;

    public static TheoryData<MemoryTier> Tiers => Buffers.TierSizes.All;

    [Theory]
    [MemberData(nameof(Tiers))]
    public void Forgotten_image(MemoryTier tier) => CheckLeak(tier, ForgetImage);

    [Theory]
    [MemberData(nameof(Tiers))]
    public void Forgotten_lease(MemoryTier tier) => CheckLeak(tier, ForgetLease);

    [Theory]
    [MemberData(nameof(Tiers))]
    public void Forgotten_view_of_a_returned_image(MemoryTier tier) => CheckLeak(tier, ForgetView);

    [Fact]
    public void Forgotten_owner() => CheckLeak(MemoryTier.OneBlock, ForgetOwner);

    [Fact]
    public void Forgotten_owner_of_a_memory_pool() => CheckLeak(MemoryTier.Array, ForgetPooledOwner);

    [Fact]
    public void Forgotten_pin_of_a_returned_image() => CheckLeak(MemoryTier.Array, ForgetPin);

    [Fact]
    public void Forgotten_scope() => CheckLeak(MemoryTier.OneBlock, ForgetScope);

    [Fact]
    public void Forgotten_external_charge() => CheckLeak(MemoryTier.OneBlock, ForgetCharge);

    [Fact]
    public void Forgotten_external_charge_of_a_scope() => CheckLeak(MemoryTier.OneBlock, ForgetScopeOfCharge);

    [Fact]
    public void Forgotten_reservation() => CheckForgottenReservation(static allocator => ForgetReservation(allocator));

    [Fact]
    public void Forgotten_reservation_that_was_waited_for() => CheckForgottenReservation(static allocator => ForgetAwaitedReservation(allocator));

    [Fact]
    public void Forgotten_image_that_was_tried_for() => CheckLeak(MemoryTier.OneBlock, ForgetTried);

    [Fact]
    public void Forgotten_by_an_asynchronous_method() => CheckLeak(MemoryTier.OneBlock, (allocator, _) => ForgetAsync(allocator).GetAwaiter().GetResult());

    [Fact]
    public void Forgotten_by_a_lambda() => CheckLeak(MemoryTier.OneBlock, ForgetInLambda);

    [Fact]
    public void Forgotten_by_a_delegate_that_was_given_pixels() => CheckLeak(MemoryTier.OneBlock, ForgetInDelegate);

    [Fact]
    public void Forgotten_after_it_was_waited_for()
    {
        PixelAllocatorOptions options = Buffers.TierSizes.Options(MemoryTier.OneBlock);
        options.LeakTracking = LeakTracking.Full;
        options.MaxRentedBytes = Buffers.TierSizes.BlockBytes;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using var leaks = new ReportedLeaks(allocator);
        ForgetAwaited(allocator);
        Collector.CollectAll();
        Assert.Equal(s_place, leaks.Next().Place);
    }

    [Fact]
    public void Stack_begins_with_the_caller_and_goes_on_to_its_callers()
    {
        using PixelAllocator allocator = Create(MemoryTier.OneBlock);
        using PixelBuffer<uint> image = RentFor(allocator);
        RentRecord rent = Assert.Single(allocator.GetOutstandingRents());
        string[] frames = rent.Stack!.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Contains(nameof(RentFor), frames[0], StringComparison.Ordinal);
        Assert.Contains(nameof(Stack_begins_with_the_caller_and_goes_on_to_its_callers), frames[1], StringComparison.Ordinal);
    }

    private static void CheckLeak(MemoryTier tier, Action<PixelAllocator, MemoryTier> forget)
    {
        using PixelAllocator allocator = Create(tier);
        using var leaks = new ReportedLeaks(allocator);
        long leakedBytes = 0;
        for (int i = 0; i < 2; i++)
        {
            // The second time it may be a hit, and the stack is known; an array may be another one then, and longer.
            s_place = string.Empty;
            Forget(allocator, tier, forget);
            Collector.CollectAll();
            PixelPoolStatistics statistics = allocator.GetStatistics();
            Assert.Equal(i + 1, statistics.LeakedCount);
            Assert.Equal(0, statistics.RentedBytes);
            RentRecord rent = leaks.Next();
            Assert.Equal(s_place, rent.Place);
            leakedBytes += rent.Bytes;
            Assert.Equal(statistics.LeakedBytes, leakedBytes);
            Assert.True(rent.Age > TimeSpan.Zero);
        }
    }

    private static void CheckForgottenReservation(Action<PixelAllocator> forget)
    {
        PixelAllocatorOptions options = Buffers.TierSizes.Options(MemoryTier.OneBlock);
        options.LeakTracking = LeakTracking.Full;
        options.MaxRentedBytes = 5000;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        using var leaks = new ReportedLeaks(allocator);
        forget(allocator);
        Collector.CollectAll();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 1L, 0L), (statistics.ChargedBytes, statistics.LeakedCount, statistics.LeakedBytes));
        RentRecord reservation = leaks.Next();
        Assert.Equal((RentKind.Reservation, 5000L, s_place), (reservation.Kind, reservation.Bytes, reservation.Place));
    }

    private static PixelAllocator Create(MemoryTier tier)
    {
        PixelAllocatorOptions options = Buffers.TierSizes.Options(tier);
        options.LeakTracking = LeakTracking.Full;
        return PixelAllocator.Create(options);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator, MemoryTier tier, Action<PixelAllocator, MemoryTier> forget) => forget(allocator, tier);

    private static void Here([CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        s_place = SourceLine.Here(typeof(LeakPlaceTests), member, file, line);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PixelBuffer<uint> RentFor(PixelAllocator allocator) => allocator.Rent<uint>(100, 100);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetImage(PixelAllocator allocator, MemoryTier tier)
    {
        (int width, int height) = Buffers.TierSizes.Size<uint>(tier);
        AllocationOptions asks = Buffers.TierSizes.Asks(tier);
        Here(); allocator.Rent<uint>(width, height, asks).Clear();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetLease(PixelAllocator allocator, MemoryTier tier)
    {
        (int width, int height) = Buffers.TierSizes.Size<uint>(tier);
        AllocationOptions asks = Buffers.TierSizes.Asks(tier);
        Here(); PixelLease<uint> lease = allocator.Lease<uint>(width, height, asks);
        Assert.False(lease.IsDisposed);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetView(PixelAllocator allocator, MemoryTier tier)
    {
        (int width, int height) = Buffers.TierSizes.Size<uint>(tier);
        AllocationOptions asks = Buffers.TierSizes.Asks(tier);
        Here(); using PixelBuffer<uint> image = allocator.Rent<uint>(width, height, asks);
        image.View(0, 0, 1, 1).Clear();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetOwner(PixelAllocator allocator, MemoryTier tier)
    {
        Here(); IMemoryOwner<byte> owner = allocator.Allocate<byte>(40_000);
        Assert.Equal(40_000, owner.Memory.Length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetPooledOwner(PixelAllocator allocator, MemoryTier tier)
    {
        MemoryPool<byte> pool = allocator.AsMemoryPool();
        Here(); IMemoryOwner<byte> owner = pool.Rent(100);
        Assert.NotEqual(0, owner.Memory.Length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetPin(PixelAllocator allocator, MemoryTier tier)
    {
        Here(); using PixelBuffer<uint> image = allocator.Rent<uint>(10, 10);
        Assert.Equal(10, image.Pin().Width);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetScope(PixelAllocator allocator, MemoryTier tier)
    {
        var scope = new RentScope(allocator);
        Here(); scope.Rent<uint>(100, 100).Clear();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetCharge(PixelAllocator allocator, MemoryTier tier)
    {
        Here(); Assert.Equal(5000, allocator.ChargeExternal(5000).Bytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetScopeOfCharge(PixelAllocator allocator, MemoryTier tier)
    {
        RentScope scope = allocator.CreateScope(6000);
        Here(); Assert.Equal(5000, scope.ChargeExternal(5000).Bytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetReservation(PixelAllocator allocator)
    {
        Here(); RentScope scope = allocator.ReserveScope(5000);
        Assert.Equal(5000, allocator.GetStatistics().ChargedBytes);
        GC.KeepAlive(scope);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetAwaitedReservation(PixelAllocator allocator)
    {
        RentScope first = allocator.ReserveScope(1);
        Here(); ValueTask<RentScope> waiting = allocator.ReserveScopeAsync(5000);
        Assert.False(waiting.IsCompleted);
        first.Dispose();
        Assert.Equal(5000, waiting.AsTask().GetAwaiter().GetResult().MaxRentedBytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetTried(PixelAllocator allocator, MemoryTier tier)
    {
        Here(); bool rented = allocator.TryRent<uint>(100, 100, out _);
        Assert.True(rented);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task ForgetAsync(PixelAllocator allocator)
    {
        await Task.Yield();
        Here(); allocator.Rent<uint>(100, 100).Clear();
        await Task.Yield();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetInLambda(PixelAllocator allocator, MemoryTier tier)
    {
        Action forget = () =>
        {
            Here(); allocator.Rent<uint>(100, 100).Clear();
        };
        forget();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetInDelegate(PixelAllocator allocator, MemoryTier tier)
    {
        using PixelAllocator other = PixelAllocator.Create();
        using PixelBuffer<uint> image = other.Rent<uint>(10, 10);
        image.ProcessPixelRows(allocator, static (_, target) =>
        {
            Here(); target.Rent<uint>(100, 100).Clear();
        });
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetAwaited(PixelAllocator allocator)
    {
        PixelBuffer<uint> first = allocator.Rent<uint>(100, 100);
        Here(); ValueTask<PixelBuffer<uint>> second = allocator.RentAsync<uint>(100, 100, cancellationToken: TestContext.Current.CancellationToken);
        Assert.False(second.IsCompleted);
        first.Dispose();
        second.AsTask().GetAwaiter().GetResult().Clear();
    }
}
