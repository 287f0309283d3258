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
    [InlineData("using var p = [|allocator.RentPlanar(PlanarLayout.Yuv420(2, 2))|];")]
    [InlineData("using var b = [|Extensions.RentRow(allocator, 3)|];")]
    [InlineData("using var s = allocator.CreateScope(1); using var p = [|s.RentPlanar(PlanarLayout.Yuv420(2, 2))|];")]
    [InlineData("using var b = [|allocator.RentRow(3)|];")]
    [InlineData("{ Span<byte> s = new byte[1]; s[0] = 1; } using var b = [|allocator.Rent<byte>(1, 1)|];")]
    [InlineData("using var b = [|allocator.Rent<byte>(1, 1)|]; Span<byte> s = new byte[1]; s[0] = 1;")]
    [InlineData("foreach (byte x in new byte[1]) { using var b = [|allocator.Rent<byte>(1, 1)|]; }")]
    [InlineData("Span<byte> s = new byte[1]; Func<Task> f = async () => { await Task.Yield(); using var b = [|allocator.Rent<byte>(1, 1)|]; }; s[0] = 1;")]
    [InlineData("new byte[1].CopyTo([|allocator.Rent<byte>(1, 1)|].DangerousGetRowSpan(0));")]
    public Task Async_code_could_wait(string statements) => Finds(Async(statements), Extensions);

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
    [InlineData("using var p = await allocator.RentPlanarAsync(PlanarLayout.Yuv420(2, 2));")]
    [InlineData("using var p = PixelAllocator.Shared.RentPlanar(PlanarLayout.Yuv420(2, 2));")]
    [InlineData("using var s = await allocator.ReserveScopeAsync(1); s.RentPlanar(PlanarLayout.Yuv420(2, 2));")]
    [InlineData("allocator.TryRentPlanar(PlanarLayout.Yuv420(2, 2), out var p); p?.Dispose();")]
    [InlineData("using var b = allocator.RentColumn(3);")]
    [InlineData("using var o = allocator.AllocateStructs<byte>(3);")]
    [InlineData("Console.WriteLine(allocator.Count(3));")]
    [InlineData("Console.WriteLine(PixelAllocator.Create().ToString());")]
    [InlineData("lock (allocator) { using var b = allocator.Rent<byte>(1, 1); }")]
    [InlineData("Span<byte> s = new byte[1]; using var b = allocator.Rent<byte>(1, 1); s[0] = 1;")]
    [InlineData("byte[] a = new byte[1]; ref byte r = ref a[0]; using var b = allocator.Rent<byte>(1, 1); r = 1;")]
    [InlineData("foreach (byte x in new byte[1].AsSpan()) { using var b = allocator.Rent<byte>(1, 1); }")]
    [InlineData("foreach (ref byte x in new byte[1].AsSpan()) { using var b = allocator.Rent<byte>(1, 1); x = 1; }")]
    [InlineData("using (new Lock().EnterScope()) { using var b = allocator.Rent<byte>(1, 1); }")]
    [InlineData("using (Lock.Scope entered = new Lock().EnterScope()) { using var b = allocator.Rent<byte>(1, 1); }")]
    [InlineData("using Lock.Scope entered = new Lock().EnterScope(); using var b = allocator.Rent<byte>(1, 1);")]
    [InlineData("new byte[1].AsSpan().CopyTo(allocator.Rent<byte>(1, 1).DangerousGetRowSpan(0));")]
    public Task Nothing_waits_or_nothing_could(string statements) => Finds(Async(statements), Extensions);

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

    // "RentRow" has a sibling to await; that of "RentColumn" is another allocator's, and "Count" rents nothing.
    private const string Extensions = """
        public static class Extensions
        {
            public static PixelBuffer<byte> RentRow(this PixelAllocator allocator, int width) => allocator.Rent<byte>(width, 1);
            public static ValueTask<PixelBuffer<byte>> RentRowAsync(this PixelAllocator allocator, int width) => allocator.RentAsync<byte>(width, 1);
            public static PixelBuffer<byte> RentColumn(this PixelAllocator allocator, int height) => allocator.Rent<byte>(1, height);
            public static ValueTask<PixelBuffer<byte>> RentColumnAsync(this RentScope scope, int height) => scope.RentAsync<byte>(1, height);
            public static int Count(this PixelAllocator allocator, int least) => least;
            public static Task<int> CountAsync(this PixelAllocator allocator, int least) => Task.FromResult(least);
        }
        """;

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
