using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection.Tests;

/// <summary>By default, no service is killed because of its images.</summary>
public class ContainerDefaultTests
{
    private const long MiB = 1 << 20;

    private readonly ServiceCollection _services = [];

    [Fact]
    public void A_process_that_is_limited_gets_a_budget_that_leaves_room_for_the_rest()
    {
        ServiceCollection services = _services;
        Live(512 * MiB, isLimited: true);

        #region docs/memory.md
        services.AddPixelPool();
        #endregion

        AssertLimits(352 * MiB, 352 * MiB);
    }

    [Fact]
    public void A_process_that_has_the_whole_machine_gets_none()
    {
        Live(512 * MiB, isLimited: false);
        _services.AddPixelPool();
        AssertLimits(null, null);
    }

    [Fact]
    public void Several_allocators_share_the_budget()
    {
        Live(512 * MiB, isLimited: true);
        _services.AddPixelPool();
        _services.AddPixelPool("a");
        _services.AddPixelPool("a");
        _services.AddPixelPool("b");
        _services.AddPixelPool("c");
        AssertLimits(88 * MiB, 88 * MiB, null, "a", "b", "c");
    }

    [Fact]
    public void What_the_application_says_wins_wherever_it_says_it()
    {
        Live(512 * MiB, isLimited: true);
        _services.Configure<PixelAllocatorOptions>("before", static options => options.MaxRentedBytes = 9);
        _services.AddPixelPool("before");
        _services.AddPixelPool("none", static options => options.MaxRentedBytes = null);
        _services.AddPixelPool("unpooled", static options => options.MaxPooledBytes = 0);
        AssertLimits(9, 352 * MiB / 3, "before");
        AssertLimits(null, 352 * MiB / 3, "none");
        AssertLimits(352 * MiB / 3, 0, "unpooled");
    }

    [Fact]
    public void The_source_of_the_container_is_used_by_the_allocator()
    {
        var memory = new FakeMemory(512 * MiB, isLimited: false);
        _services.AddSingleton<MemoryPressureSource>(memory);
        _services.AddPixelPool();
        using ServiceProvider provider = _services.BuildServiceProvider();
        Assert.Same(memory, provider.GetRequiredService<IOptions<PixelAllocatorOptions>>().Value.MemoryPressure);
    }

    private void Live(long availableBytes, bool isLimited) => _services.AddSingleton<MemoryPressureSource>(new FakeMemory(availableBytes, isLimited));

    private void AssertLimits(long? rented, long? pooled, params string?[] names)
    {
        using ServiceProvider provider = _services.BuildServiceProvider();
        IOptionsMonitor<PixelAllocatorOptions> options = provider.GetRequiredService<IOptionsMonitor<PixelAllocatorOptions>>();
        Assert.All(names.DefaultIfEmpty(null), name =>
            Assert.Equal((rented, pooled), (options.Get(name).MaxRentedBytes, options.Get(name).MaxPooledBytes)));
    }
}
