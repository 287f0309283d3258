using System.Diagnostics.Tracing;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Configuration;

/// <summary>The real environment and the real application context, in processes of their own: they are read once.</summary>
public class SettingsOfAProcessTests
{
    private const long MiB = 1 << 20;

    [Fact]
    public void Settings_reach_new_options_and_the_shared_allocator() =>
        ChildProcess.Run(CheckSettings, "PIXELPOOL_MAX_RENTED_BYTES=3M", "PIXELPOOL_BLOCK_BYTES=1M", "PIXELPOOL_CLEAR_ON_RETURN=1");

    [Fact]
    public void Bad_settings_are_listed_and_told_by_the_event_source_and_nothing_fails() =>
        ChildProcess.Run(CheckBadSettings, "PIXELPOOL_MAX_RENTED_BYTES=lots", "PIXELPOOL_TYPO=1", "PIXELPOOL_BLOCK_BYTES=99999999999999999999");

    private static void CheckSettings()
    {
        AppContext.SetData("PixelPool.MaxRentedBytes", "2M");
        AppContext.SetData("PixelPool.MaxPooledBytes", "7M");
        AppContext.SetSwitch("PixelPool.UseHugePages", false);
        var options = new PixelAllocatorOptions();
        Assert.Equal((3 * MiB, 7 * MiB, (int)MiB), (options.MaxRentedBytes, options.MaxPooledBytes, options.BlockBytes));
        Assert.Equal((true, false), (options.ClearOnReturn, options.UseHugePages));
        Assert.Empty(PixelAllocatorOptions.IgnoredSettings);

        // Three blocks of one MiB: the budget is used up, over the one MiB a request for the small tier is.
        using PixelBuffer<byte> image = PixelAllocator.Shared.Rent<byte>(1024, 3 * 1024);
        Assert.Equal(3, image.BlockCount);
        Assert.False(PixelAllocator.Shared.TryRent<byte>(1024, 1024 + 1, out _));

        // Read once: what comes later has no effect.
        Environment.SetEnvironmentVariable("PIXELPOOL_MAX_RENTED_BYTES", "9M");
        Assert.Equal(3 * MiB, new PixelAllocatorOptions().MaxRentedBytes);
    }

    private static void CheckBadSettings()
    {
        using var listener = new Listener();
        using (PixelAllocator.Shared.Rent<int>(1000, 1000))
        {
            string[] names = [.. PixelAllocatorOptions.IgnoredSettings.Select(static setting => setting.Name).Order(StringComparer.Ordinal)];
            Assert.Equal(["PIXELPOOL_BLOCK_BYTES", "PIXELPOOL_MAX_RENTED_BYTES", "PIXELPOOL_TYPO"], names);
            Assert.Equal(names, listener.Names.Order(StringComparer.Ordinal));
        }

        _ = new PixelAllocatorOptions();
        Assert.Equal(3, listener.Names.Count);
    }

    private sealed class Listener : EventListener
    {
        public List<string> Names { get; } = [];

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "PixelPool")
            {
                EnableEvents(eventSource, EventLevel.Warning);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventName == "SettingIgnored")
            {
                Names.Add((string)eventData.Payload![0]!);
            }
        }
    }
}
