using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PixelPool.Testing;

namespace PixelPool.Extensions.DependencyInjection.Tests;

/// <summary>A request that waits long is in the log, with who holds the budget.</summary>
public sealed class LongWaitLogTests : IDisposable
{
    private readonly ServiceCollection _services = [];
    private readonly RecordedLogs _logs = new();
    private readonly ManualTime _time = new();

    public LongWaitLogTests()
    {
        _services.AddLogging(logging => logging.AddProvider(_logs));
        _services.AddPixelPool("uploads", options =>
        {
            options.BlockBytes = 1 << 20;
            options.MaxRentedBytes = 2 << 20;
            options.LeakTracking = LeakTracking.Full;
            options.TimeProvider = _time;
        });
    }

    [Fact]
    public async Task A_long_wait_is_a_warning_with_size_time_and_holders()
    {
        using ServiceProvider provider = _services.BuildServiceProvider();
        PixelAllocator allocator = provider.GetRequiredKeyedService<PixelAllocator>("uploads");
        using PixelBuffer<byte> held = allocator.Rent<byte>(1024, 2048);
        ValueTask<PixelBuffer<byte>> asked = allocator.RentAsync<byte>(1024, 1024);
        string[] lines = NextWait();

        Assert.Matches(@"^Warning PixelPool: uploads: 1 MiB, waiting for [5-9](\.\d+)? s for the budget of the allocator ""uploads"", asked for at .*LongWaitLogTests.*\.$", lines[0]);
        Assert.Contains(lines, static line => line.Contains("Most is held at " + typeof(LongWaitLogTests).FullName, StringComparison.Ordinal) && line.Contains(": 2 MiB in 1 rent.", StringComparison.Ordinal));

        held.Dispose();
        (await asked).Dispose();
    }

    [Fact]
    public async Task A_deadlock_is_an_error()
    {
        using ServiceProvider provider = _services.BuildServiceProvider();
        PixelAllocator allocator = provider.GetRequiredKeyedService<PixelAllocator>("uploads");
        using var scope = new RentScope(allocator);
        scope.Rent<byte>(1024, 2048);
        ValueTask<PixelBuffer<byte>> asked = scope.RentAsync<byte>(1024, 1024);
        string[] lines = NextWait();

        Assert.StartsWith("Error PixelPool: uploads: 1 MiB, waiting for ", lines[0], StringComparison.Ordinal);
        Assert.Contains(lines, static line => line.StartsWith("This is a deadlock", StringComparison.Ordinal));

        scope.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await asked);
    }

    public void Dispose() => _logs.Dispose();

    private string[] NextWait()
    {
        for (int second = 0; second < 6; second++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        string entry;
        do
        {
            entry = _logs.Next();
        }
        while (entry.Contains("The setting ", StringComparison.Ordinal));
        return entry.Split(Environment.NewLine);
    }
}
