using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Recording.Tests.Charts;

namespace PixelPool.Recording.Tests;

/// <summary>What an allocator really does is marked in the drawing of its recording.</summary>
public sealed class RecordedEventsTests
{
    [Fact]
    public void Trims_and_leaks_of_an_allocator_are_marked()
    {
        using var system = new RecordedSystem();
        using MemoryRecorder recorder = system.Start();
        object?[] rented = Rent(system);
        system.Time.Advance(RecordedSystem.Period);

        // Collections come when they like: nothing is forgotten before this line.
        Array.Clear(rented);
        Collector.CollectAll();
        system.Time.Advance(RecordedSystem.Period);
        Assert.Equal(2 * RecordedSystem.BlockBytes, system.Allocator.Trim());
        system.Time.Advance(RecordedSystem.Period);

        var chart = new ChartFile(recorder.Stop());
        Assert.Equal(["20 ms: 2 leaks, 128 KiB brought back by finalizers"], chart.Hints("leak"));
        Assert.Equal(["30 ms: 128 KiB given back to the system (request)"], chart.Hints("trim"));
        Assert.Equal("Memory over time: recorded", chart.Title);
    }

    [Fact]
    public async Task Waits_for_the_budget_of_an_allocator_are_marked()
    {
        using var system = new RecordedSystem(static options => options.MaxRentedBytes = 4 * RecordedSystem.BlockBytes);
        using MemoryRecorder recorder = system.Start();
        PixelBuffer<byte> first = system.RentBlocks(4);
        Task<PixelBuffer<byte>> second = system.Allocator.RentAsync<byte>(RecordedSystem.BlockBytes, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        system.Time.Advance(5 * RecordedSystem.Period);
        first.Dispose();
        (await second).Dispose();
        system.Time.Advance(5 * RecordedSystem.Period);

        MemoryRecording recording = recorder.Stop();
        var chart = new ChartFile(recording);
        Assert.Equal(["10 ms: 1 request waited for budget"], chart.Hints("wait"));
        Assert.Contains("budget: 256 KiB", chart.Texts);
        Assert.Equal([0L, 1, 1, 1, 1, 1, 0], recording.Samples.Take(7).Select(static sample => sample.Pool.WaitingRents));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object?[] Rent(RecordedSystem system) => [system.RentBlocks(2), system.Allocator.ReserveScope(1)];
}
