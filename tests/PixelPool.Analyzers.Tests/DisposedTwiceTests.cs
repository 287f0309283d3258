namespace PixelPool.Analyzers.Tests;

public sealed class DisposedTwiceTests() : AnalyzerTests(new DisposedTwiceAnalyzer())
{
    [Theory]
    [InlineData("using var l = allocator.Lease<byte>(1, 1); [|l.Dispose()|];")]
    [InlineData("using (var l = allocator.Lease<byte>(1, 1)) { if (condition) { [|l.Dispose()|]; } }")]
    [InlineData("using PixelLease<byte> l = allocator.Lease<byte>(1, 1); image.ProcessPixelRows(a => [|l.Dispose()|]);")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); l.Dispose(); [|l.Dispose()|];")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); if (condition) { l.Dispose(); } else { l.Dispose(); } [|l.Dispose()|];")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); try { Console.WriteLine(1); } finally { l.Dispose(); } [|l.Dispose()|];")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); using (l) { } [|l.Dispose()|];")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); l.Dispose(); while (condition) { [|l.Dispose()|]; }")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); using (l) { [|l.Dispose()|]; }")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); using (l) { if (condition) { [|l.Dispose()|]; [|l.Dispose()|]; } }")]
    [InlineData("using var p = allocator.LeasePlanar(PlanarLayout.Yuv420(2, 2)); [|p.Dispose()|];")]
    [InlineData("var p = allocator.LeasePlanar(PlanarLayout.Yuv420(2, 2)); p.Dispose(); [|p.Dispose()|];")]
    [InlineData("var p = allocator.LeasePlanar(PlanarLayout.Yuv420(2, 2)); using (p) { [|p.Dispose()|]; }")]
    public Task Lease_is_returned_already_or_will_be(string statements) => FindsIn(statements);

    [Theory]
    [InlineData("using var l = allocator.Lease<byte>(1, 1);")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); l.Dispose();")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); if (condition) { l.Dispose(); return; } l.Dispose();")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); if (condition) { l.Dispose(); } if (!condition) { l.Dispose(); }")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); bool done = false; try { l.Dispose(); done = true; } finally { if (!done) { l.Dispose(); } }")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); l.Dispose(); if (!l.IsDisposed) { l.Dispose(); }")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); l.Dispose(); l = allocator.Lease<byte>(2, 2); l.Dispose();")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); var m = allocator.Lease<byte>(2, 2); l.Dispose(); (l, m) = (m, default); l.Dispose();")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); l.Dispose(); Action renew = () => (l, _) = (allocator.Lease<byte>(1, 1), 2); renew(); l.Dispose();")]
    [InlineData("while (condition) { var l = allocator.Lease<byte>(1, 1); l.Dispose(); }")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); b.Dispose(); b.Dispose();")]
    [InlineData("using var l = allocator.Lease<byte>(1, 1); using var b = l.AsBuffer(); b.Dispose();")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); using (l) { l.Fill(1); }")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); using (l) { l = allocator.Lease<byte>(2, 2); l.Dispose(); }")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); var m = allocator.Lease<byte>(2, 2); using (l) { (l, m) = (m, l); l.Dispose(); }")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); using (b) { b.Dispose(); }")]
    [InlineData("using var p = allocator.LeasePlanar(PlanarLayout.Yuv420(2, 2)); using var y = p.GetPlane(0); y.Dispose();")]
    [InlineData("using var p = allocator.RentPlanar(PlanarLayout.Yuv420(2, 2)); p.Dispose();")]
    public Task Lease_is_returned_once_and_others_may_be_twice(string statements) => FindsIn(statements);

    [Fact]
    public Task Extension_block_may_be_called_as_often_as_one_likes() => Finds(
        Method("using var l = allocator.Lease<byte>(1, 1); l.Close(); var m = allocator.Lease<byte>(1, 1); m.Close(); m.Dispose(); m.Close();"),
        "public static class Extensions { extension(PixelLease<byte> lease) { public void Close() => Console.WriteLine(lease.Width); } }");

    [Fact]
    public Task What_a_conversion_makes_is_not_the_lease() => Finds(
        Method("using var l = allocator.Lease<byte>(1, 1); ((Copy)l).Dispose(); var m = allocator.Lease<byte>(1, 1); ((Copy)m).Dispose(); m.Dispose();"),
        "public class Copy : IDisposable { public static explicit operator Copy(PixelLease<byte> l) => new(); public void Dispose() { } }");

    [Fact]
    public Task Views_of_leases_can_be_disposed_and_used() => FindsIn("""
        using var l = allocator.Lease<byte>(10, 10);
        var v = l.View(0, 0, 1, 1); v.Dispose(); v.Dispose(); v.Fill(1);
        """);
}
