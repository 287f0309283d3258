namespace PixelPool.Analyzers.Tests;

public sealed class UsedAfterDisposeTests() : AnalyzerTests(new UsedAfterDisposeAnalyzer())
{
    [Theory]
    [InlineData("image.Dispose(); [|image|].Fill(1);")]
    [InlineData("image.Dispose(); [|image|][0, 0] = 1;")]
    [InlineData("image.Dispose(); byte pixel = [|image|][0, 0];")]
    [InlineData("image.Dispose(); using var v = [|image|].View(0, 0, 1, 1);")]
    [InlineData("using var other = allocator.Rent<byte>(1, 1); image.Dispose(); other.CopyTo([|image|]);")]
    [InlineData("using (image) { } [|image|].Clear();")]
    [InlineData("image.AsReadOnly().Dispose(); [|image|].Clear();")]
    [InlineData("image.Dispose(); [|image|].AsReadOnly().WriteTo(Stream.Null);")]
    [InlineData("var r = allocator.Wrap<byte>(new ReadOnlyMemory<byte>(new byte[1]), 1, 1); r.Dispose(); [|r|].WriteTo(Stream.Null);")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); using (b) { } [|b|].Clear();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (condition) { b.Dispose(); } else { b.Dispose(); } [|b|].Clear();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); try { b.Fill(1); } finally { b.Dispose(); } [|b|].Clear();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); b.Dispose(); while (condition) { [|b|].Clear(); }")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); b.Dispose(); [|b|].Clear();")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); l.Dispose(); [|l|].ProcessPixelRows(static a => { });")]
    [InlineData("var p = image.Pin(); p.Dispose(); void* address = [|p|].Pointer;")]
    [InlineData("var s = new RentScope(allocator); s.Dispose(); [|s|].Rent<byte>(1, 1);")]
    [InlineData("var t = allocator.TrackLeaks(); t.Dispose(); [|t|].AssertNone();")]
    [InlineData("var o = allocator.Allocate<byte>(1); o.Dispose(); Memory<byte> m = [|o|].Memory;")]
    [InlineData("image.Dispose(); (image, byte first) = (allocator.Rent<byte>(1, 1), [|image|][0, 0]);")]
    [InlineData("Action a = () => { var b = allocator.Rent<byte>(1, 1); b.Dispose(); [|b|].Clear(); };")]
    [InlineData("if (true) { image.Dispose(); } [|image|].Fill(1);")]
    [InlineData("while (true) { image.Dispose(); break; } [|image|].Fill(1);")]
    [InlineData("do { image.Dispose(); if (condition) { break; } } while (true); [|image|].Fill(1);")]
    [InlineData("try { Console.WriteLine(1); } finally { if (true) { image.Dispose(); } } [|image|].Fill(1);")]
    [InlineData("if (condition) { image.Dispose(); } else { Environment.FailFast(null); } [|image|].Fill(1);")]
    public Task It_is_disposed_whatever_way_led_there(string statements) => FindsIn(statements);

    [Theory]
    [InlineData("image.Fill(1); image.Dispose();")]
    [InlineData("if (condition) { image.Dispose(); } image.Fill(1);")]
    [InlineData("if (condition) { image.Dispose(); return; } image.Fill(1);")]
    [InlineData("image.Dispose(); Console.WriteLine(image.Width + image.Height + image.Stride); Console.WriteLine(image.IsDisposed); Console.WriteLine(image);")]
    [InlineData("image.Dispose(); image.Dispose();")]
    [InlineData("image.Dispose(); image = allocator.Rent<byte>(1, 1); image.Fill(1);")]
    [InlineData("image.Dispose(); Renew(ref image); image.Fill(1);")]
    [InlineData("image.Dispose(); (image, int n) = (allocator.Rent<byte>(1, 1), 2); image.Fill(1);")]
    [InlineData("image.Dispose(); (int n, (image, _)) = (1, (allocator.Rent<byte>(1, 1), 2)); image.Fill(1);")]
    [InlineData("image.Dispose(); (image, int n) = (condition ? allocator.Rent<byte>(1, 1) : allocator.Rent<byte>(2, 2), 2); image.Fill(1);")]
    [InlineData("var back = allocator.Rent<byte>(1, 1); var next = back.View(0, 0, 1, 1); image.Dispose(); (image, back) = (back, next); image.Clear();")]
    [InlineData("Action renew = () => (image, _) = (allocator.Rent<byte>(1, 1), 2); image.Dispose(); renew(); image.Fill(1);")]
    [InlineData("Action renew = () => image = allocator.Rent<byte>(1, 1); image.Dispose(); renew(); image.Fill(1);")]
    [InlineData("image.Dispose(); if (!image.IsDisposed) { image.Fill(1); }")]
    [InlineData("using var v = image.View(0, 0, 1, 1); image.Dispose(); v.Fill(1);")]
    [InlineData("using PinnedPixels p = image.Pin(); image.Dispose(); void* address = p.Pointer;")]
    [InlineData("image.Dispose(); Action later = () => image.Fill(1);")]
    [InlineData("try { image.Fill(1); image.Dispose(); } catch { image.Fill(2); }")]
    [InlineData("try { image.Fill(1); image.Dispose(); } finally { image.Fill(2); }")]
    [InlineData("while (condition) { var b = allocator.Rent<byte>(1, 1); b.Fill(1); b.Dispose(); }")]
    [InlineData("PixelBuffer<byte>? b = null; while (condition) { b?.Dispose(); b = allocator.Rent<byte>(1, 1); b.Fill(1); }")]
    [InlineData("var o = MemoryPool<byte>.Shared.Rent(1); o.Dispose(); Memory<byte> m = o.Memory;")]
    [InlineData("image.Dispose(); Other(image);")]
    [InlineData("var s = new PixelPoolStream(allocator); s.Dispose(); s.Flush(); s.FlushAsync();")]
    [InlineData("allocator.Dispose(); Console.WriteLine(allocator.GetStatistics());")]
    [InlineData("image.Dispose(); while (false) { image.Fill(1); }")]
    [InlineData("image.Dispose(); if (false) { image.Fill(1); }")]
    [InlineData("while (true) { if (condition) { image.Fill(1); break; } image.Dispose(); image = allocator.Rent<byte>(1, 1); }")]
    [InlineData("if (condition) { image.Dispose(); Environment.Exit(1); } image.Fill(1);")]
    public Task It_may_not_be_disposed_or_may_be_asked(string statements) => Finds($$"""
        static void Renew(ref PixelBuffer<byte> buffer) => buffer = PixelAllocator.Shared.Rent<byte>(1, 1);
        static void Other(PixelBuffer<byte> buffer) { }
        {{Method(statements)}}
        """);

    [Theory]
    [InlineData("image.Close(); image.Fill(1);")]
    [InlineData("image.Dispose(); Console.WriteLine(image.Describe());")]
    [InlineData("var o = allocator.Allocate<byte>(1); o.Dispose(); Console.WriteLine(o.Describe() + o.Address);")]
    public Task Extension_block_does_what_it_likes(string statements) => Finds(Method(statements), """
        public static class Extensions
        {
            extension(PixelBuffer<byte> image)
            {
                public void Close() => image.Fill(0);
                public string Describe() => image.IsDisposed ? "gone" : "there";
            }

            extension(IMemoryOwner<byte> owner)
            {
                public nint Address => 0;
                public string Describe() => "owner";
            }
        }
        """);

    [Fact]
    public Task What_a_conversion_makes_is_not_what_it_is_made_of() => Finds(
        Method("((Copy)image).Dispose(); image.Fill(1); using ((Copy)image) { } image.Fill(2); image.Dispose(); ((Copy)image).Fill(3);"),
        "public class Copy : IDisposable { public static explicit operator Copy(PixelBuffer<byte> b) => new(); public void Fill(byte value) { } public void Dispose() { } }");

    [Fact]
    public Task An_async_method_is_followed_through_its_awaits() => Finds("""
        static async Task M(PixelAllocator allocator)
        {
            PixelBuffer<byte> b = await allocator.RentAsync<byte>(1, 1);
            await Task.Yield();
            b.Dispose();
            await Task.Yield();
            [|b|].Fill(1);
        }
        """);
}
