using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection.Tests;

public class RegistrationTests
{
    private readonly ServiceCollection _services = [];

    [Fact]
    public void The_allocator_is_a_singleton_in_every_scope_and_disposed_with_the_container()
    {
        _services.AddPixelPool();
        PixelAllocator allocator;
        PixelBuffer<byte> image;
        using (ServiceProvider provider = Build())
        {
            allocator = provider.GetRequiredService<PixelAllocator>();
            using (IServiceScope scope = provider.CreateScope())
            {
                Assert.Same(allocator, scope.ServiceProvider.GetRequiredService<PixelAllocator>());
            }

            // The end of a scope is not the end of the allocator.
            image = allocator.Rent<byte>(3000, 1000);
        }

        Assert.Throws<ObjectDisposedException>(() => allocator.Rent<byte>(3000, 1000));
        image[2999, 999] = 7;
        Assert.Equal(7, image[2999, 999]);
        image.Dispose();
        Assert.NotSame(PixelAllocator.Shared, allocator);
    }

    [Fact]
    public void Named_allocators_are_keyed_have_options_of_their_own_and_are_disposed_too()
    {
        _services.AddPixelPool(static options => options.MaxRentedBytes = 8 << 20);
        _services.AddPixelPool("uploads", static options => options.MaxRentedBytes = 4 << 20);
        _services.AddPixelPool("previews");
        _services.AddTransient<Consumer>();
        PixelAllocator[] allocators;
        using (ServiceProvider provider = Build())
        {
            Consumer consumer = provider.GetRequiredService<Consumer>();
            allocators = [consumer.Default, consumer.Uploads, provider.GetRequiredKeyedService<PixelAllocator>("previews")];
            Assert.Equal(3, allocators.Distinct().Count());
            Assert.Same(consumer.Uploads, provider.GetRequiredKeyedService<PixelAllocator>("uploads"));
            Assert.StartsWith("uploads: ", consumer.Uploads.ToString(), StringComparison.Ordinal);
            Assert.Null(provider.GetKeyedService<PixelAllocator>("downloads"));
            Assert.Equal(((long?)(8L << 20), (long?)(4L << 20)), (Limit(consumer.Default), Limit(consumer.Uploads)));
        }

        Assert.All(allocators, static allocator => Assert.Throws<ObjectDisposedException>(() => allocator.Rent<byte>(3000, 1000)));
    }

    [Fact]
    public void Calling_it_again_configures_further()
    {
        _services.AddPixelPool(static options => options.MaxRentedBytes = 8 << 20);
        _services.AddPixelPool();
        _services.AddPixelPool(static options => options.ClearOnReturn = true);
        _services.AddPixelPool("a", static options => options.BlockBytes = 1 << 20);
        _services.AddPixelPool("a", static options => options.MaxRentedBytes = 2 << 20);
        using ServiceProvider provider = Build();
        Assert.Single(provider.GetServices<PixelAllocator>());
        Assert.Single(provider.GetServices<IValidateOptions<PixelAllocatorOptions>>());
        PixelAllocatorOptions options = Options(provider);
        Assert.Equal((8L << 20, true), (options.MaxRentedBytes, options.ClearOnReturn));
        PixelAllocatorOptions named = Options(provider, "a");
        Assert.Equal((2L << 20, 1 << 20, "a"), (named.MaxRentedBytes, named.BlockBytes, named.Name));
    }

    [Fact]
    public void Options_are_configured_from_anywhere_in_the_order_of_registration()
    {
        _services.Configure<PixelAllocatorOptions>(static options => options.MaxRentedBytes = 1 << 20);
        _services.AddPixelPool(static options => options.MaxRentedBytes *= 2);
        _services.Configure<PixelAllocatorOptions>(static options => options.MaxRentedBytes *= 3);
        _services.PostConfigure<PixelAllocatorOptions>(static options => options.Name = "last");
        using ServiceProvider provider = Build();
        Assert.Equal(6L << 20, Limit(provider.GetRequiredService<PixelAllocator>()));
        Assert.StartsWith("last: ", provider.GetRequiredService<PixelAllocator>().ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Options_may_depend_on_services()
    {
        _services.AddSingleton(new Quota(5 << 20));
        _services.AddPixelPool(static (provider, options) => options.MaxRentedBytes = provider.GetRequiredService<Quota>().Bytes);
        _services.AddPixelPool("half", static (provider, options) => options.MaxRentedBytes = provider.GetRequiredService<Quota>().Bytes / 2);
        using ServiceProvider provider = Build();
        Assert.Equal((5L << 20, 5L << 19), (Options(provider).MaxRentedBytes, Options(provider, "half").MaxRentedBytes));
    }

    [Fact]
    public void An_allocator_that_the_application_registered_stays()
    {
        using PixelAllocator own = PixelAllocator.Create();
        _services.AddSingleton(own);
        _services.AddPixelPool();
        using ServiceProvider provider = Build();
        Assert.Same(own, provider.GetRequiredService<PixelAllocator>());
    }

    [Fact]
    public void The_meter_factory_of_the_container_is_used_if_there_is_one()
    {
        _services.AddPixelPool();
        using (ServiceProvider without = Build())
        {
            Assert.Null(Options(without).MeterFactory);
        }

        _services.AddMetrics();
        _services.AddPixelPool("own", static options => options.MeterFactory = null);
        using ServiceProvider provider = Build();
        Assert.Same(provider.GetRequiredService<IMeterFactory>(), Options(provider).MeterFactory);
        Assert.Null(Options(provider, "own").MeterFactory);
    }

    [Fact]
    public void Arguments_must_be_there()
    {
        IServiceCollection none = null!;
        Assert.Throws<ArgumentNullException>("services", () => none.AddPixelPool());
        Assert.Throws<ArgumentNullException>("services", () => none.AddPixelPool("a"));
        Assert.Throws<ArgumentNullException>("name", () => _services.AddPixelPool((string)null!));
        Assert.Throws<ArgumentException>("name", () => _services.AddPixelPool(string.Empty));
        Assert.Throws<ArgumentNullException>("configure", () => _services.AddPixelPool((Action<IServiceProvider, PixelAllocatorOptions>)null!));
        Assert.Throws<ArgumentNullException>("configure", () => _services.AddPixelPool("a", (Action<IServiceProvider, PixelAllocatorOptions>)null!));
        Assert.Empty(_services);
    }

    private ServiceProvider Build() => _services.BuildServiceProvider(new ServiceProviderOptions { ValidateScopes = true, ValidateOnBuild = true });

    private static PixelAllocatorOptions Options(IServiceProvider provider, string? name = null) =>
        provider.GetRequiredService<IOptionsMonitor<PixelAllocatorOptions>>().Get(name);

    private static long? Limit(PixelAllocator allocator) => allocator.GetStatistics().BudgetBytes;

    private sealed record Quota(long Bytes);

    private sealed record Consumer(PixelAllocator Default, [FromKeyedServices("uploads")] PixelAllocator Uploads);
}
