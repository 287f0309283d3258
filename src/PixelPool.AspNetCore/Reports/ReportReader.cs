using PixelPool.AspNetCore.Allocators;
using PixelPool.AspNetCore.History;
using PixelPool.Diagnostics;

namespace PixelPool.AspNetCore.Reports;

/// <summary>Reads what there is to report. That is a look, which starts the history.</summary>
/// <param name="allocators">What is reported about.</param>
/// <param name="history">Their last minutes.</param>
/// <param name="time">The clock of the application.</param>
/// <param name="residentBytes">Counts the physical memory of the process.</param>
internal sealed class ReportReader(AllocatorList allocators, MemoryHistory history, TimeProvider time, Func<long> residentBytes)
{
    public MemoryReport Read()
    {
        history.Look();
        return new(
            time.GetUtcNow(), residentBytes(), MemoryPressureSource.System.GetAvailableBytes() is > 0 and long bytes ? bytes : null, [.. allocators.Current().Select(Read)]);
    }

    private AllocatorReport Read(PixelAllocator allocator)
    {
        IReadOnlyList<RentRecord> held = allocator.GetOutstandingRents();
        RentGroup[] groups = [.. RentGroup.Of(held)];
        long now = time.GetTimestamp();
        return new(
            allocator.Name,
            allocator.GetStatistics(),
            [.. allocator.GetWaitingRents().Take(AllocatorReport.MaxListed).Select(WaitReport.Of)],
            held.Count,
            [.. groups.Take(AllocatorReport.MaxListed)],
            groups.Length,
            [.. history.Samples(allocator).Select(sample => Report(sample, now))]);
    }

    private SampleReport Report(in HistorySample sample, long now) => new(
        time.GetElapsedTime(sample.Timestamp, now).TotalSeconds, sample.ResidentBytes, sample.RentedBytes, sample.IdleBytes, sample.WaitingRents, sample.LeakedCount);
}
