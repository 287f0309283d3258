using PixelPool.CodeFixes;

namespace PixelPool.Analyzers.Tests;

public sealed class AwaitRentFixTests() : FixTests(new SynchronousRentAnalyzer(), new AwaitRentFix())
{
    [Fact]
    public Task Rents_are_awaited() => Fixes(
        """
            static async Task M(PixelAllocator allocator)
            {
                using PixelBuffer<byte> a = allocator.Rent<byte>(1, 1, AllocationOptions.Clean);
                using RentScope scope = allocator.ReserveScope(1); // all at once
                Console.WriteLine(allocator.Rent<byte>(1, 1).Width);
                await Task.Yield();
            }
        """,
        """
            static async Task M(PixelAllocator allocator)
            {
                using PixelBuffer<byte> a = await allocator.RentAsync<byte>(1, 1, AllocationOptions.Clean);
                using RentScope scope = await allocator.ReserveScopeAsync(1); // all at once
                Console.WriteLine((await allocator.RentAsync<byte>(1, 1)).Width);
                await Task.Yield();
            }
        """);

    [Theory]
    [InlineData("using var b = allocator.Rent<byte>(1, 1);", "using var b = await allocator.RentAsync<byte>(1, 1, cancellationToken: token);")]
    [InlineData(
        "using var b = allocator.Rent<byte>(1, 1, AllocationOptions.Clean);",
        "using var b = await allocator.RentAsync<byte>(1, 1, AllocationOptions.Clean, token);")]
    [InlineData(
        "using var b = allocator.Rent<byte>(height: 1, width: 1, options: AllocationOptions.Clean);",
        "using var b = await allocator.RentAsync<byte>(height: 1, width: 1, options: AllocationOptions.Clean, cancellationToken: token);")]
    [InlineData("using var s = allocator.ReserveScope(1);", "using var s = await allocator.ReserveScopeAsync(1, token);")]
    [InlineData(
        "using var p = allocator.RentPlanar(PlanarLayout.Yuv420(2, 2));",
        "using var p = await allocator.RentPlanarAsync(PlanarLayout.Yuv420(2, 2), cancellationToken: token);")]
    [InlineData(
        "using var p = allocator.RentPlanar(PlanarLayout.Yuv420(2, 2), AllocationOptions.Clean);",
        "using var p = await allocator.RentPlanarAsync(PlanarLayout.Yuv420(2, 2), AllocationOptions.Clean, token);")]
    [InlineData(
        "async Task Inner() { await Task.Yield(); using var b = allocator.Rent<byte>(1, 1); } await Inner();",
        "async Task Inner() { await Task.Yield(); using var b = await allocator.RentAsync<byte>(1, 1, cancellationToken: token); } await Inner();")]
    [InlineData("        allocator.Rent<byte>(1, 1).Dispose();", "        (await allocator.RentAsync<byte>(1, 1, cancellationToken: token)).Dispose();")]
    [InlineData("        allocator.Rent<byte>(1, 1)?.Dispose();", "        (await allocator.RentAsync<byte>(1, 1, cancellationToken: token))?.Dispose();")]
    [InlineData("        allocator.Rent<byte>(1, 1)!.View(0, 0, 1, 1).Dispose();", "        (await allocator.RentAsync<byte>(1, 1, cancellationToken: token))!.View(0, 0, 1, 1).Dispose();")]
    [InlineData(
        "using var v = allocator.Rent<byte>(1, 1).View(0, 0, 1, 1);",
        "using var v = (await allocator.RentAsync<byte>(1, 1, cancellationToken: token)).View(0, 0, 1, 1);")]
    [InlineData("int w = allocator.Rent<byte>(1, 1).Width;", "int w = (await allocator.RentAsync<byte>(1, 1, cancellationToken: token)).Width;")]
    [InlineData("byte first = allocator.Rent<byte>(1, 1)[0, 0];", "byte first = (await allocator.RentAsync<byte>(1, 1, cancellationToken: token))[0, 0];")]
    [InlineData("        allocator.Rent<byte>(1, 1)[0, 0] = 1;", "        (await allocator.RentAsync<byte>(1, 1, cancellationToken: token))[0, 0] = 1;")]
    [InlineData(
        "Func<Task<int>> f = async () => allocator.Rent<byte>(1, 1).GetHashCode();",
        "Func<Task<int>> f = async () => (await allocator.RentAsync<byte>(1, 1, cancellationToken: token)).GetHashCode();")]
    public Task Token_in_scope_is_passed(string statement, string expected) => Fixes(With("CancellationToken token", statement), With("CancellationToken token", expected));

    [Theory]
    [InlineData("        allocator.Rent<byte>(1, 1)!.Dispose();", "        (await allocator.RentAsync<byte>(1, 1))!.Dispose();")]
    [InlineData("        allocator.Rent<byte>(1, 1)!?.Dispose();", "        (await allocator.RentAsync<byte>(1, 1))!?.Dispose();")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1)!;", "using var b = (await allocator.RentAsync<byte>(1, 1))!;")]
    public Task What_is_said_to_be_no_null_is_what_was_awaited(string statement, string expected) => Fixes(With("int unused", statement), With("int unused", expected));

    [Theory]
    [InlineData("foreach (byte x in new byte[1].AsSpan()) { using var b = allocator.Rent<byte>(1, 1); }")]
    [InlineData("Span<byte> s = new byte[1]; using var b = allocator.Rent<byte>(1, 1); s[0] = 1;")]
    [InlineData("new byte[1].AsSpan().CopyTo(allocator.Rent<byte>(1, 1).DangerousGetRowSpan(0));")]
    [InlineData("new byte[1].AsSpan()[0] = (byte)allocator.Rent<byte>(1, 1).Width;")]
    [InlineData("new byte[1].AsSpan()[0] += (byte)allocator.Rent<byte>(1, 1).Width;")]
    [InlineData("new (int X, int)[1].AsSpan()[0].X = allocator.Rent<byte>(1, 1).Width;")]
    [InlineData("MemoryMarshal.GetReference<byte>(new byte[1]) = (byte)allocator.Rent<byte>(1, 1).Width;")]
    [InlineData("(new int[1].AsSpan()[0], int n) = (allocator.Rent<byte>(1, 1).Width, 1);")]
    [InlineData("Set(ref new int[1].AsSpan()[0], allocator.Rent<byte>(1, 1).Width); static void Set(ref int to, int value) => to = value;")]
    [InlineData("new int[1].AsSpan()[0].Equals(allocator.Rent<byte>(1, 1).Width);")]
    public Task Nothing_is_offered_where_a_reference_would_have_to_live_through_it(string statement) => OffersNothing(With("int unused", statement));

    [Theory]
    [InlineData("int n = new int[1].AsSpan()[0] + allocator.Rent<byte>(1, 1).Width;", "int n = new int[1].AsSpan()[0] + (await allocator.RentAsync<byte>(1, 1)).Width;")]
    [InlineData("int[] n = [1]; n[0] = allocator.Rent<byte>(1, 1).Width;", "int[] n = [1]; n[0] = (await allocator.RentAsync<byte>(1, 1)).Width;")]
    [InlineData(
        "using var image = PixelAllocator.Shared.Rent<byte>(1, 1); image[0, 0] = allocator.Rent<byte>(1, 1)[0, 0];",
        "using var image = PixelAllocator.Shared.Rent<byte>(1, 1); image[0, 0] = (await allocator.RentAsync<byte>(1, 1))[0, 0];")]
    [InlineData("_ = Math.Max(new int[1].AsSpan()[0], allocator.Rent<byte>(1, 1).Width);", "_ = Math.Max(new int[1].AsSpan()[0], (await allocator.RentAsync<byte>(1, 1)).Width);")]
    public Task What_is_read_through_a_reference_is_a_copy(string statement, string expected) => Fixes(With("int unused", statement), With("int unused", expected));

    [Theory]
    [InlineData("CancellationToken token, CancellationToken other", "")]
    [InlineData("CancellationToken token", "CancellationToken other = default;")]
    [InlineData("CancellationTokenSource source", "")]
    [InlineData("CancellationTokenSource source", "CancellationToken unassigned;")]
    public Task No_token_or_one_of_several_is_not_passed(string parameter, string before) => Fixes(
        With(parameter, $"{before} using var b = allocator.Rent<byte>(1, 1); CancellationToken later = default;"),
        With(parameter, $"{before} using var b = await allocator.RentAsync<byte>(1, 1); CancellationToken later = default;"));

    [Fact]
    public Task Token_of_a_local_is_passed_and_that_of_a_static_function_is_its_own() => Fixes(
        With("CancellationTokenSource source", """
            CancellationToken stop = source.Token;
            using var a = allocator.Rent<byte>(1, 1);
            static async Task Inner(PixelAllocator allocator) { await Task.Yield(); using var b = allocator.Rent<byte>(1, 1); }
            await Inner(allocator);
            """),
        With("CancellationTokenSource source", """
            CancellationToken stop = source.Token;
            using var a = await allocator.RentAsync<byte>(1, 1, cancellationToken: stop);
            static async Task Inner(PixelAllocator allocator) { await Task.Yield(); using var b = await allocator.RentAsync<byte>(1, 1); }
            await Inner(allocator);
            """));

    [Fact]
    public Task Extensions_get_the_token_if_they_take_one() => Fixes(
        With("CancellationToken token", "using var a = allocator.RentRow(3); using var b = Extensions.RentRow(allocator, 3); using var c = allocator.RentColumn(3);"),
        With("CancellationToken token", """
            using var a = await allocator.RentRowAsync(3); using var b = await Extensions.RentRowAsync(allocator, 3); using var c = await allocator.RentColumnAsync(3, token);
            """),
        """
        public static class Extensions
        {
            public static PixelBuffer<byte> RentRow(this PixelAllocator allocator, int width) => allocator.Rent<byte>(width, 1);
            public static ValueTask<PixelBuffer<byte>> RentRowAsync(this PixelAllocator allocator, int width) => allocator.RentAsync<byte>(width, 1);
            public static PixelBuffer<byte> RentColumn(this PixelAllocator allocator, int height) => allocator.Rent<byte>(1, height);
            public static ValueTask<PixelBuffer<byte>> RentColumnAsync(this PixelAllocator allocator, int height, CancellationToken token) =>
                allocator.RentAsync<byte>(1, height, cancellationToken: token);
        }
        """);

    private static string With(string parameter, string statements) =>
        $"static async Task M(PixelAllocator allocator, {parameter})\n{{\nawait Task.Yield();\n{statements}\n}}";
}
