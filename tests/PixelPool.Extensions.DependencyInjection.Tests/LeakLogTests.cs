using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection.Tests;

/// <summary>What is rented and forgotten is in the log, with the line that has to be repaired.</summary>
public sealed class LeakLogTests : IDisposable
{
    private readonly ServiceCollection _services = [];
    private readonly RecordedLogs _logs = new();

    public LeakLogTests()
    {
        _services.AddLogging(logging => logging.AddProvider(_logs));
        _services.ConfigureAll<PixelAllocatorOptions>(static options => options.BlockBytes = 1 << 20);
    }

    [Fact]
    public void A_leak_is_logged_with_allocator_size_age_place_and_stack()
    {
        _services.AddPixelPool("uploads", static options => options.LeakTracking = LeakTracking.Full);
        using ServiceProvider provider = _services.BuildServiceProvider();
        PixelAllocator allocator = provider.GetRequiredKeyedService<PixelAllocator>("uploads");
        string place = RentAndForget(allocator);
        string[] lines = NextLeak();

        Assert.StartsWith("Error PixelPool: uploads: 2 MiB (2,097,152 bytes), rented ", lines[0], StringComparison.Ordinal);
        Assert.EndsWith($" s ago at {place}, were forgotten. They were never disposed: a finalizer returned them.", lines[0], StringComparison.Ordinal);
        Assert.Contains($"{nameof(LeakLogTests)}.{nameof(RentAndForget)}(PixelAllocator allocator)", lines[1], StringComparison.Ordinal);
        Assert.Contains(lines[2..], static line => line.Contains(nameof(A_leak_is_logged_with_allocator_size_age_place_and_stack), StringComparison.Ordinal));
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void A_leak_is_logged_with_the_tag_of_its_scope()
    {
        _services.AddPixelPool(static options => options.LeakTracking = LeakTracking.Full);
        using ServiceProvider provider = _services.BuildServiceProvider();
        ForgetInScope(provider.GetRequiredService<PixelAllocator>());
        Assert.StartsWith("Error PixelPool: PixelAllocator: 2 MiB (2,097,152 bytes) of \"GET /photo\", rented ", NextLeak()[0], StringComparison.Ordinal);
    }

    [Fact]
    public void A_view_that_was_forgotten_is_blamed_instead_of_its_image()
    {
        _services.AddPixelPool(static options => options.LeakTracking = LeakTracking.Full);
        using ServiceProvider provider = _services.BuildServiceProvider();
        string place = ForgetView(provider.GetRequiredService<PixelAllocator>());
        Assert.EndsWith($". They were disposed, but the view or the pin that was made at {place} was not: a finalizer returned them.", NextLeak()[0], StringComparison.Ordinal);
    }

    [Fact]
    public void A_leak_without_a_record_says_how_to_get_one()
    {
        _services.AddPixelPool(static options => options.LeakTracking = LeakTracking.Off);
        using ServiceProvider provider = _services.BuildServiceProvider();
        RentAndForget(provider.GetRequiredService<PixelAllocator>());
        Assert.Equal(
            "Error PixelPool: PixelAllocator: 2 MiB (2,097,152 bytes) were rented and forgotten. They were never disposed: a finalizer returned them. "
                + "Where they were rented was not recorded: LeakTracking.Full records it.",
            Assert.Single(NextLeak()));
    }

    [Fact]
    public void Charges_and_reservations_are_called_so()
    {
        _services.AddPixelPool(static options => options.LeakTracking = LeakTracking.Full);
        using ServiceProvider provider = _services.BuildServiceProvider();
        PixelAllocator allocator = provider.GetRequiredService<PixelAllocator>();
        ChargeAndForget(allocator);
        Assert.StartsWith(
            "Error PixelPool: PixelAllocator: 4.88 KiB (5,000 bytes), charged ", NextLeak()[0], StringComparison.Ordinal);
        ReserveAndForget(allocator);
        Assert.StartsWith(
            "Error PixelPool: PixelAllocator: 5.86 KiB (6,000 bytes), reserved ", NextLeak()[0], StringComparison.Ordinal);
    }

    [Fact]
    public void A_leak_that_is_found_after_the_container_was_disposed_is_logged()
    {
        _services.AddPixelPool(static options => options.LeakTracking = LeakTracking.Full);
        PixelAllocator allocator = RentForgetAndDisposeContainer();
        Assert.Contains(nameof(RentForgetAndDisposeContainer), NextLeak()[0], StringComparison.Ordinal);
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public void Without_logging_a_leak_is_counted()
    {
        var services = new ServiceCollection();
        services.AddPixelPool();
        using ServiceProvider provider = services.BuildServiceProvider(new ServiceProviderOptions { ValidateOnBuild = true });
        PixelAllocator allocator = provider.GetRequiredService<PixelAllocator>();
        RentAndForget(allocator);
        CollectAll();
        Assert.Equal(1, allocator.GetStatistics().LeakedCount);
    }

    public void Dispose() => _logs.Dispose();

    /// <summary>The lines of the first entry that is no warning about the settings of this process.</summary>
    private string[] NextLeak()
    {
        CollectAll();
        string entry;
        do
        {
            entry = _logs.Next();
        }
        while (entry.Contains("The setting ", StringComparison.Ordinal));
        return entry.Split(Environment.NewLine);
    }

    /// <returns>Where it was rented, as a report tells it.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string RentAndForget(PixelAllocator allocator)
    {
        allocator.Rent<byte>(1024, 2048); string place = Here();
        return place;
    }

    /// <returns>Where the view was made.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string ForgetView(PixelAllocator allocator)
    {
        using PixelBuffer<byte> image = allocator.Rent<byte>(1024, 2048);
        image.View(0, 0, 1, 1); string place = Here();
        return place;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetInScope(PixelAllocator allocator)
    {
        new RentScope(allocator) { Tag = "GET /photo" }.Rent<byte>(1024, 2048);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ChargeAndForget(PixelAllocator allocator) => allocator.ChargeExternal(5000);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReserveAndForget(PixelAllocator allocator) => allocator.ReserveScope(6000);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private PixelAllocator RentForgetAndDisposeContainer()
    {
        using ServiceProvider provider = _services.BuildServiceProvider();
        PixelAllocator allocator = provider.GetRequiredService<PixelAllocator>();
        allocator.Rent<byte>(1024, 2048);
        return allocator;
    }

    // Finalizers release what others finalize.
    private static void CollectAll()
    {
        for (int i = 0; i < 4; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    private static string Here([CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        $"{typeof(LeakLogTests).FullName}.{member} in {file}:line {line}";
}
