using Microsoft.Extensions.Diagnostics.HealthChecks;
using PixelPool.AspNetCore.Allocators;

namespace PixelPool.AspNetCore.Health;

/// <summary>Checks all allocators of the application. Thread-safe.</summary>
/// <param name="allocators">What is checked.</param>
/// <param name="options">When it is not content.</param>
/// <param name="time">The clock of the application.</param>
internal sealed class PixelPoolHealthCheck(AllocatorList allocators, PixelPoolHealthCheckOptions options, TimeProvider time) : IHealthCheck, IDisposable
{
    private readonly object _lock = new();
    private readonly Dictionary<PixelAllocator, AllocatorWatch> _watches = [];
    private bool _disposed;

    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var findings = new List<HealthFinding>();
        var data = new Dictionary<string, object>();
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            foreach (PixelAllocator allocator in allocators.Current())
            {
                PixelPoolStatistics statistics = allocator.GetStatistics();
                findings.AddRange(Watch(allocator).Check(statistics));
                data.Add(FreeKey(data, allocator.Name), statistics.ToString());
            }
        }

        return Task.FromResult(Result(context.Registration.FailureStatus, findings, data));
    }

    /// <summary>Stops listening: <see cref="PixelAllocator.Shared"/> outlives the application's container.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            foreach (AllocatorWatch watch in _watches.Values)
            {
                watch.Dispose();
            }

            _watches.Clear();
            _disposed = true;
        }
    }

    private static HealthCheckResult Result(HealthStatus failureStatus, List<HealthFinding> findings, Dictionary<string, object> data)
    {
        if (findings.Count == 0)
        {
            return HealthCheckResult.Healthy(data: data);
        }

        bool failed = findings.Exists(static finding => finding.Status == HealthStatus.Unhealthy);
        return new HealthCheckResult(
            failed ? failureStatus : HealthStatus.Degraded, string.Join(' ', findings.OrderBy(static finding => finding.Status).Select(static finding => finding.Text)), data: data);
    }

    // Several allocators may have one name: the second is "name (2)".
    private static string FreeKey(Dictionary<string, object> data, string name)
    {
        string key = name;
        for (int number = 2; data.ContainsKey(key); number++)
        {
            key = $"{name} ({number})";
        }

        return key;
    }

    private AllocatorWatch Watch(PixelAllocator allocator)
    {
        if (!_watches.TryGetValue(allocator, out AllocatorWatch? watch))
        {
            _watches.Add(allocator, watch = new AllocatorWatch(allocator, options, time));
        }

        return watch;
    }
}
