namespace PixelPool.Analyzers.Tests;

public sealed class SynchronousRentTests() : AnalyzerTests(new SynchronousRentAnalyzer())
{
    [Theory]
    [InlineData("using var b = [|allocator.Rent<byte>(1, 1)|];")]
    [InlineData("using var s = [|allocator.ReserveScope(1)|];")]
    [InlineData("using var s = allocator.CreateScope(1); s.ChargeExternal(1); using var b = [|s.Rent<byte>(1, 1)|];")]
    [InlineData("using var s = new RentScope(allocator); using var b = [|s.Rent<byte>(1, 1)|];")]
    [InlineData("using var a = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 1 << 20 }); using var b = [|a.Rent<byte>(1, 1)|];")]
    [InlineData("using var a = PixelAllocator.Create(PixelAllocatorOptions.ForContainer()); using var b = [|a.Rent<byte>(1, 1)|];")]
    [InlineData("using var b = [|s_allocator.Rent<byte>(1, 1)|];")]
    [InlineData("Func<Task> f = async () => { await Task.Yield(); using var b = [|allocator.Rent<byte>(1, 1)|]; };")]
    public Task Async_code_could_wait(string statements) => Finds(Async(statements));

    [Theory]
    [InlineData("using var b = await allocator.RentAsync<byte>(1, 1);")]
    [InlineData("allocator.TryRent<byte>(1, 1, out var b); b?.Dispose();")]
    [InlineData("using var b = PixelAllocator.Shared.Rent<byte>(1, 1);")]
    [InlineData("PixelAllocator shared = PixelAllocator.Shared; using var b = shared.Rent<byte>(1, 1);")]
    [InlineData("using var a = PixelAllocator.Create(); using var b = a.Rent<byte>(1, 1);")]
    [InlineData("using var a = PixelAllocator.Create(new PixelAllocatorOptions { Name = \"a\", MaxRentedBytes = null }); using var b = a.Rent<byte>(1, 1);")]
    [InlineData("using var s = await allocator.ReserveScopeAsync(1); using var b = s.Rent<byte>(1, 1);")]
    [InlineData("using var s = new RentScope(PixelAllocator.Shared); using var b = s.Rent<byte>(1, 1);")]
    [InlineData("using var b = s_scope.Rent<byte>(1, 1);")]
    [InlineData("Action act = () => { using var b = allocator.Rent<byte>(1, 1); };")]
    [InlineData("lock (allocator) { using var b = allocator.Rent<byte>(1, 1); }")]
    public Task Nothing_waits_or_nothing_could(string statements) => Finds(Async(statements));

    [Fact]
    public Task Synchronous_methods_rent_as_they_must() =>
        Finds("static Task M(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return Task.CompletedTask; }");

    [Fact]
    public Task Leases_and_memory_can_be_awaited_too() => Finds("""
        static async Task M(PixelAllocator allocator)
        {
            using var l = [|allocator.Lease<byte>(1, 1)|];
            using var o = [|allocator.Allocate<byte>(1)|];
            await Task.Yield();
        }
        """);

    private static string Async(string statements) => $$"""
        static readonly PixelAllocator s_allocator = PixelAllocator.Create();
        static readonly RentScope s_scope = new(s_allocator);
        static async Task M(PixelAllocator allocator)
        {
            await Task.Yield();
            {{statements}}
        }
        """;
}
