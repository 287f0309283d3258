using Microsoft.Extensions.DependencyInjection;
using PixelPool.AspNetCore.Allocators;

namespace PixelPool.AspNetCore.Tests.Allocators;

/// <summary>What an application on .NET 8 or 9 shows: its containers do not know which keys they have.</summary>
public sealed class OlderContainerTests
{
    [Theory]
    [InlineData("8")]
    [InlineData("9")]
    public void Allocators_with_and_without_a_key_are_found(string version)
    {
        IServiceProvider provider = OlderContainer.Build(version, Services());
        using var disposal = (IDisposable)provider;
        Assert.Equal(
            [
                provider.GetRequiredService<PixelAllocator>(),
                provider.GetRequiredKeyedService<PixelAllocator>("uploads"),
                provider.GetRequiredKeyedService<PixelAllocator>("thumbnails"),
            ],
            new AllocatorList(provider).Current());
    }

    [Theory]
    [InlineData("8")]
    [InlineData("9")]
    public void Those_that_another_one_registered_with_a_key_are_not_found_and_disturb_nothing(string version)
    {
        using var other = PixelAllocator.Create();
        IServiceProvider provider = OlderContainer.Build(version, Services().AddKeyedSingleton("other", other).AddKeyedSingleton("failing", (_, key) => PixelAllocator.Create(Named((string)key!))));
        using var disposal = (IDisposable)provider;
        Assert.Equal(3, new AllocatorList(provider).Current().Count);
    }

    [Fact]
    public void From_version_10_on_those_are_found_too()
    {
        using var other = PixelAllocator.Create();
        using ServiceProvider provider = Services().AddKeyedSingleton("other", other).BuildServiceProvider();
        Assert.Equal(4, new AllocatorList(provider).Current().Count);
        Assert.Contains(other, new AllocatorList(provider).Current());
    }

    private static IServiceCollection Services() =>
        new ServiceCollection().AddPixelPool().AddPixelPool("uploads").AddPixelPool("thumbnails").AddPixelPool("uploads", static options => options.MaxRentedBytes = 1 << 20);

    private static PixelAllocatorOptions Named(string name) => new() { Name = name };
}
