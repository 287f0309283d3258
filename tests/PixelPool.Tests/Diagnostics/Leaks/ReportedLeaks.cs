using System.Collections.Concurrent;
using PixelPool.Diagnostics;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>Handles the leaks of an allocator and lets a test wait for them: they come on the thread pool.</summary>
internal sealed class ReportedLeaks : IDisposable
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    private readonly PixelAllocator _allocator;
    private readonly BlockingCollection<RentRecord> _rents = [];

    public ReportedLeaks(PixelAllocator allocator)
    {
        _allocator = allocator;
        allocator.Leaked += OnLeaked;
    }

    public RentRecord Next()
    {
        Assert.True(_rents.TryTake(out RentRecord? rent, s_timeLimit), "no leak was reported");
        return rent;
    }

    public RentRecord[] Next(int count) => [.. Enumerable.Range(0, count).Select(_ => Next())];

    public void Dispose()
    {
        _allocator.Leaked -= OnLeaked;
        Assert.Empty(_rents);
    }

    private void OnLeaked(object? sender, LeakedEventArgs leaked)
    {
        Assert.Same(_allocator, sender);
        Assert.True(Thread.CurrentThread.IsThreadPoolThread, "a leak was not reported on the thread pool");
        _rents.Add(leaked.Rent);
    }
}
