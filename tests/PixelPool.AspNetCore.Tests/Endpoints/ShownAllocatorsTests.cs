using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using PixelPool.AspNetCore.Allocators;
using PixelPool.AspNetCore.Tests.Infrastructure;

namespace PixelPool.AspNetCore.Tests.Endpoints;

/// <summary>Whose memory is shown.</summary>
public sealed class ShownAllocatorsTests
{
    [Fact]
    public async Task Allocators_with_and_without_a_key_are_shown_each_once()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync(static services => services.AddPixelPool("uploads"));
        Assert.Equal(["thumbnails", "uploads"], await NamesAsync(application));
    }

    [Fact]
    public void Where_none_is_registered_the_shared_one_is_shown()
    {
        using ServiceProvider provider = new ServiceCollection().BuildServiceProvider();
        Assert.Equal([PixelAllocator.Shared], new AllocatorList(provider).Current());
    }

    [Fact]
    public void A_container_without_keys_is_asked_for_what_it_has()
    {
        using var allocator = PixelAllocator.Create();
        Assert.Equal([allocator], new AllocatorList(new Unkeyed(allocator)).Current());
    }

    [Fact]
    public void A_factory_that_fails_once_is_called_again()
    {
        using var allocator = PixelAllocator.Create();
        int calls = 0;
        using ServiceProvider provider = new ServiceCollection().AddSingleton(_ => ++calls == 1 ? throw new NotSupportedException() : allocator).BuildServiceProvider();
        var list = new AllocatorList(provider);
        Assert.Throws<NotSupportedException>(list.Current);
        Assert.Equal([allocator], list.Current());
    }

    [Fact]
    public async Task A_disposed_allocator_is_shown_as_it_is()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        using PixelBuffer<byte> held = application.Allocator.Rent<byte>(1024, 1024);
        application.Allocator.Dispose();
        Assert.Contains("1 MiB", await application.GetPageAsync(), StringComparison.Ordinal);
        Assert.Equal(["thumbnails"], await NamesAsync(application));
    }

    [Fact]
    public async Task An_application_without_allocators_has_a_page()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        await using WebApplication app = builder.Build();
        app.MapPixelPool("memory").AllowAnonymous();
        Assert.Contains(((Microsoft.AspNetCore.Routing.IEndpointRouteBuilder)app).DataSources.SelectMany(static source => source.Endpoints), static endpoint => endpoint.DisplayName == "PixelPool");
    }

    private static async Task<List<string?>> NamesAsync(TestApplication application)
    {
        using JsonDocument json = JsonDocument.Parse(await application.GetPageAsync("/pixelpool?format=json"));
        return [.. json.RootElement.GetProperty("allocators").EnumerateArray().Select(static allocator => allocator.GetProperty("name").GetString())];
    }

    private sealed class Unkeyed(PixelAllocator allocator) : IServiceProvider
    {
        public object? GetService(Type serviceType) => serviceType == typeof(IEnumerable<PixelAllocator>) ? new[] { allocator } : null;
    }
}
