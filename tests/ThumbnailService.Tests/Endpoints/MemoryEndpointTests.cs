using System.Runtime.CompilerServices;
using System.Text.Json;
using PixelPool;
using ThumbnailService.Tests.Infrastructure;

namespace ThumbnailService.Tests.Endpoints;

/// <summary>Who asks why memory is not free gets the lines that hold it.</summary>
public class MemoryEndpointTests
{
    [Fact]
    public async Task Statistics_and_what_is_rented_are_told_the_oldest_first()
    {
        await using RunningService service = await RunningService.StartAsync("PixelPool:MaxRentedBytes=32M");
        using PixelBuffer<byte> first = RentFirst(service.Allocator);
        using PixelBuffer<byte> second = RentSecond(service.Allocator);
        using ExternalCharge third = service.Allocator.ChargeExternal(1 << 20);
        using JsonDocument report = await GetAsync(service);

        Assert.Equal("PixelPool", report.RootElement.GetProperty("mode").GetString());
        JsonElement pool = report.RootElement.GetProperty("pool");
        Assert.Equal(33554432, pool.GetProperty("budgetBytes").GetInt64());
        Assert.Equal(12 << 20, pool.GetProperty("rentedBytes").GetInt64());
        Assert.StartsWith("12 MiB rented", report.RootElement.GetProperty("summary").GetString(), StringComparison.Ordinal);

        JsonElement[] rented = [.. report.RootElement.GetProperty("rented").EnumerateArray()];
        Assert.Equal(
            [(4 << 20, "Memory"), (8 << 20, "Memory"), (1 << 20, "ExternalCharge")],
            rented.Select(static rent => (rent.GetProperty("bytes").GetInt64(), rent.GetProperty("kind").GetString())));
        AssertPlace(nameof(RentFirst), rented[0]);
        AssertPlace(nameof(RentSecond), rented[1]);
        Assert.True(rented[0].GetProperty("seconds").GetDouble() >= rented[1].GetProperty("seconds").GetDouble());
        Assert.Contains(
            rented[1].GetProperty("callers").EnumerateArray(),
            static caller => caller.GetString()!.Contains(nameof(Statistics_and_what_is_rented_are_told_the_oldest_first), StringComparison.Ordinal));
    }

    [Fact]
    public async Task Managed_arrays_are_in_no_pool()
    {
        await using RunningService service = await RunningService.StartAsync("Thumbnails:Memory=Managed");
        using JsonDocument report = await GetAsync(service);
        Assert.Equal("Managed", report.RootElement.GetProperty("mode").GetString());
        Assert.Equal(JsonValueKind.Null, report.RootElement.GetProperty("pool").GetProperty("budgetBytes").ValueKind);
        Assert.Empty(report.RootElement.GetProperty("rented").EnumerateArray());
        Assert.True(report.RootElement.GetProperty("managedHeapBytes").GetInt64() > 0);
    }

    private static async Task<JsonDocument> GetAsync(RunningService service) =>
        JsonDocument.Parse(await service.Client.GetByteArrayAsync("memory", TestContext.Current.CancellationToken));

    private static void AssertPlace(string method, JsonElement rent) =>
        Assert.Contains($"{nameof(MemoryEndpointTests)}.{method} in ", rent.GetProperty("place").GetString(), StringComparison.Ordinal);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PixelBuffer<byte> RentFirst(PixelAllocator allocator) => allocator.Rent<byte>(1024, 4096);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PixelBuffer<byte> RentSecond(PixelAllocator allocator) => allocator.Rent<byte>(1024, 8192);
}
