using PixelPool.CodeFixes;

namespace PixelPool.Analyzers.Tests;

public sealed class AddUsingFixTests() : FixTests(new NotDisposedAnalyzer(), new AddUsingFix())
{
    [Fact]
    public Task Declarations_get_a_using() => Fixes(
        """
            static async Task M(PixelAllocator allocator)
            {
                // one
                var a = allocator.Rent<byte>(1, 1);
                a.Fill(1);
                PixelBuffer<byte> b = await allocator.RentAsync<byte>(1, 1).ConfigureAwait(false);
                b.Fill(1);
            }
        """,
        """
            static async Task M(PixelAllocator allocator)
            {
                // one
                using var a = allocator.Rent<byte>(1, 1);
                a.Fill(1);
                using PixelBuffer<byte> b = await allocator.RentAsync<byte>(1, 1).ConfigureAwait(false);
                b.Fill(1);
            }
        """);

    [Theory]
    [InlineData("var a = allocator.Rent<byte>(1, 1); if (a.Width == 1) { return; } a.Dispose();")]
    [InlineData("PixelBuffer<byte> a; a = allocator.Rent<byte>(1, 1);")]
    [InlineData("var a = allocator.Rent<byte>(1, 1); a = allocator.Rent<byte>(2, 2);")]
    [InlineData("allocator.Rent<byte>(1, 1).Fill(1);")]
    [InlineData("int width = allocator.Rent<byte>(1, 1).Width;")]
    public Task What_needs_thought_is_left(string statements) => OffersNothing($"static void M(PixelAllocator allocator) {{ {statements} }}");
}
