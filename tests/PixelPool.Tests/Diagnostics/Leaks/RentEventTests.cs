using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Diagnostics.Events;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>Who listens to rents hears all of them from that moment on; who does not, pays nothing.</summary>
public sealed class RentEventTests : IDisposable
{
    private const int Rents = 200;

    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Theory]
    [InlineData(LeakTracking.Off)]
    [InlineData(LeakTracking.Sampled)]
    public void Every_hit_is_told_from_the_moment_somebody_listens(LeakTracking tracking)
    {
        string name = $"{nameof(RentEventTests)} {tracking}";
        using PixelAllocator allocator = Create(name, tracking);
        Rent(allocator, Rents);
        using var recorder = new EventRecorder(name);
        Assert.Empty(recorder.Events);
        for (int round = 0; round < 2; round++)
        {
            recorder.Enable();
            Rent(allocator, Rents);
            Assert.Equal(Rents, Count(recorder, "Rented"));
            Assert.Equal(Rents, Count(recorder, "Returned"));
            Assert.Equal(Rents * TestSystem.BlockBytes, recorder.Sum("Rented"));
            Assert.Equal(Rents * TestSystem.BlockBytes, recorder.Sum("Returned"));
            recorder.Disable();
            recorder.Forget();
            Rent(allocator, Rents);
            Assert.Empty(recorder.Events);
        }
    }

    [Fact]
    public void Rents_tell_where_their_memory_came_from()
    {
        using PixelAllocator allocator = Create(nameof(Rents_tell_where_their_memory_came_from), LeakTracking.Off, capacityInBlocks: 4);
        using EventRecorder recorder = new EventRecorder(nameof(Rents_tell_where_their_memory_came_from)).Enable(
            keywords: PixelPoolEventSource.Keywords.Rents);
        allocator.Rent<byte>(40_000, 1).Dispose();
        allocator.Rent<byte>(40_000, 1).Dispose();
        allocator.Rent<byte>(40_000, 2, AllocationOptions.Contiguous).Dispose();
        allocator.Rent<byte>(100, 1).Dispose();
        allocator.Rent<byte>(40_000, 9).Dispose();
        allocator.ChargeExternal(40_000).Dispose();
        Assert.Equal(
            ["Miss", "Hit", "Miss", "Small", "Unpooled", "External"],
            recorder.Events.Where(static recorded => recorded.Name == "Rented").Select(static recorded => (string)recorded.Payload[2]!));
    }

    [Fact]
    public void Charges_are_told_when_they_begin_and_end_and_reservations_are_not()
    {
        using PixelAllocator allocator = Create(nameof(Charges_are_told_when_they_begin_and_end_and_reservations_are_not), LeakTracking.Full);
        using EventRecorder recorder = new EventRecorder(nameof(Charges_are_told_when_they_begin_and_end_and_reservations_are_not)).Enable(
            keywords: PixelPoolEventSource.Keywords.Rents);
        using (RentScope scope = allocator.ReserveScope(5000))
        {
            scope.ChargeExternal(1000);
        }

        ForgetChargeAndReservation(allocator);
        Collector.CollectAll();
        Assert.Equal(2, allocator.GetStatistics().LeakedCount);
        Assert.Equal(
            ["Rented 1000", "Returned 1000", "Rented 2000", "Returned 2000"],
            recorder.Events.Select(static recorded => $"{recorded.Name} {recorded.Payload[1]}"));
    }

    [Fact]
    public void Who_listens_to_something_else_hears_of_no_rent()
    {
        using PixelAllocator allocator = Create(nameof(Who_listens_to_something_else_hears_of_no_rent), LeakTracking.Full);
        using EventRecorder recorder = new EventRecorder(nameof(Who_listens_to_something_else_hears_of_no_rent)).Enable(EventLevel.Informational);
        Rent(allocator, 3);
        Assert.Equal(0, Count(recorder, "Rented") + Count(recorder, "Returned"));
    }

    [Fact]
    public void Leak_is_told_with_size_age_place_and_stack()
    {
        using PixelAllocator allocator = Create(nameof(Leak_is_told_with_size_age_place_and_stack), LeakTracking.Full);
        using EventRecorder recorder = new EventRecorder(nameof(Leak_is_told_with_size_age_place_and_stack)).Enable(EventLevel.Error);
        using var leaks = new ReportedLeaks(allocator);
        string place = Forget(allocator);
        _system.Time.Advance(TimeSpan.FromSeconds(3));
        Collector.CollectAll();

        // The handler is called after the event.
        leaks.Next();
        RecordedEvent leaked = Assert.Single(recorder.Events);
        Assert.Equal("Leaked", leaked.Name);
        Assert.Equal(EventLevel.Error, leaked.Level);
        Assert.Equal([3L * TestSystem.BlockBytes, 3000.0, place], leaked.Payload.Skip(1).Take(3));
        Assert.Contains(nameof(Forget), (string)leaked.Payload[4]!, StringComparison.Ordinal);
    }

    [Fact]
    public void Leak_that_was_not_recorded_is_told_without_place()
    {
        using PixelAllocator allocator = Create(nameof(Leak_that_was_not_recorded_is_told_without_place), LeakTracking.Off);
        using EventRecorder recorder = new EventRecorder(nameof(Leak_that_was_not_recorded_is_told_without_place)).Enable(EventLevel.Error);
        Forget(allocator);
        Collector.CollectAll();
        Assert.True(SpinWait.SpinUntil(() => recorder.Events.Length != 0, s_timeLimit));
        Assert.Equal([3L * TestSystem.BlockBytes, -1.0, string.Empty, string.Empty, "Owner", string.Empty], Assert.Single(recorder.Events).Payload.Skip(1));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string Forget(PixelAllocator allocator)
    {
        allocator.Rent<byte>(40_000, 3).Clear(); return SourceLine.Here(typeof(RentEventTests));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetChargeAndReservation(PixelAllocator allocator)
    {
        allocator.ChargeExternal(2000);
        allocator.ReserveScope(3000);
    }

    private PixelAllocator Create(string name, LeakTracking tracking, int capacityInBlocks = 64) => _system.CreateAllocator(capacityInBlocks, options =>
    {
        options.Name = name;
        options.LeakTracking = tracking;
    });

    private static void Rent(PixelAllocator allocator, int count)
    {
        for (int i = 0; i < count; i++)
        {
            allocator.Rent<byte>(40_000, 1).Dispose();
        }
    }

    private static int Count(EventRecorder recorder, string name) => recorder.Events.Count(recorded => recorded.Name == name);
}
