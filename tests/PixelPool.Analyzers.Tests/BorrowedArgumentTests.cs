namespace PixelPool.Analyzers.Tests;

/// <summary>PXP001 follows what is passed to methods of the same compilation, if these neither keep nor dispose it.</summary>
public sealed class BorrowedArgumentTests() : AnalyzerTests(new NotDisposedAnalyzer())
{
    [Theory]
    [InlineData("static void Use(PixelBuffer<byte> b) => b.Fill(1);")]
    [InlineData("static void Use(PixelBuffer<byte> b) { if (b.Width > 1 && b != null) { b[0, 0] = 1; } }")]
    [InlineData("static void Use(PixelBuffer<byte> b) { ArgumentNullException.ThrowIfNull(b); b.Fill(1); GC.KeepAlive(b); }")]
    [InlineData("static void Use(PixelBuffer<byte> b) { ThrowIfNull(b, nameof(b)); } static void ThrowIfNull(object? value, string name) { if (value is null) { throw new ArgumentNullException(name); } }")]
    [InlineData("static void Use(PixelBuffer<byte> b) => Second(b); static void Second(PixelBuffer<byte> b) => Third(b); static void Third(PixelBuffer<byte> b) => b.Fill(1);")]
    [InlineData("static void Use(PixelBuffer<byte> b) => Use(b, 3); static void Use(PixelBuffer<byte> b, int depth) { b.Fill(1); if (depth > 0) { Use(b, depth - 1); } }")]
    [InlineData("static void Use(PixelBuffer<byte> b) { b.Fill(1); Other(b); } static void Other(PixelBuffer<byte> b) { if (b.Width > 2) { Use(b); } }")]
    [InlineData("static PixelBuffer<byte> Use(PixelBuffer<byte> b) { var made = PixelAllocator.Shared.Rent<byte>(b.Width / 3, b.Height); b.CopyTo(made); return made; }")]
    [InlineData("static void Use(PixelBuffer<byte> b) { b.ProcessPixelRows(b, static (x, y) => x.GetRowSpan(0).CopyTo(y.GetRowSpan(0))); using var v = b.View(0, 0, 1, 1); v.Fill(1); }")]
    [InlineData("static void Use(PixelBuffer<byte> b) { int sum = 0; b.ProcessPixelRows(a => sum += b.Width); }")]
    [InlineData("static int Use<T>(PixelBuffer<T> b) where T : unmanaged => b.Width;")]
    [InlineData("static int Use<T>(T b) where T : class => 1;")]
    [InlineData("static void Use(in PixelBuffer<byte> b) => b.Fill(1);")]
    [InlineData("static void Use(object b) { if (b is PixelBuffer<byte>) { Console.WriteLine(b.ToString()); } }")]
    [InlineData("static async Task Use(PixelBuffer<byte> b) { await Task.Yield(); b.Fill(1); }")]
    [InlineData("static void Use(PixelBuffer<byte> b) { Fill(); void Fill() { Console.WriteLine(1); } b.Fill(1); }")]
    public Task Method_that_only_uses_it_ends_nothing(string methods) => Finds($$"""
        {{methods}}
        static void M(PixelAllocator allocator, bool condition)
        {
            var b = [|allocator.Rent<byte>(1, 1)|];
            Use(b);
            var c = [|allocator.Rent<byte>(1, 1)|];
            Use(c);
            if (condition) { return; }
            c.Dispose();
            using var d = allocator.Rent<byte>(1, 1);
            Use(d);
        }
        """);

    [Theory]
    [InlineData("static void Use(PixelBuffer<byte> b) => b.Dispose();")]
    [InlineData("static void Use(PixelBuffer<byte>? b) { b?.Dispose(); }")]
    [InlineData("static void Use(PixelBuffer<byte> b) { using (b) { b.Fill(1); } }")]
    [InlineData("static void Use(PixelBuffer<byte> b) { using var own = b; own.Fill(1); }")]
    [InlineData("static void Use(PixelBuffer<byte> b) { if (b.Width > 1) { b.Dispose(); } }")]
    [InlineData("static PixelBuffer<byte> Use(PixelBuffer<byte> b) => b;")]
    [InlineData("static PixelBuffer<byte> Use(PixelBuffer<byte> b) { b.Fill(1); return b.Width > 1 ? b : b.Clone(); }")]
    [InlineData("static (PixelBuffer<byte>, int) Use(PixelBuffer<byte> b) => (b, 1);")]
    [InlineData("static IEnumerable<PixelBuffer<byte>> Use(PixelBuffer<byte> b) { yield return b; }")]
    [InlineData("static PixelBuffer<byte>? s_kept; static void Use(PixelBuffer<byte> b) => s_kept = b;")]
    [InlineData("static readonly List<PixelBuffer<byte>> s_all = []; static void Use(PixelBuffer<byte> b) => s_all.Add(b);")]
    [InlineData("static Action Use(PixelBuffer<byte> b) => () => b.Dispose();")]
    [InlineData("static Action Use(PixelBuffer<byte> b) => b.Dispose;")]
    [InlineData("static void Use(PixelBuffer<byte> b) { Free(); void Free() => b.Dispose(); }")]
    [InlineData("static void Use(PixelBuffer<byte> b) => Second(b); static void Second(PixelBuffer<byte> b) => Third(b); static void Third(PixelBuffer<byte> b) => b.Dispose();")]
    [InlineData("static void Use(PixelBuffer<byte> b) => Use(b, 3); static void Use(PixelBuffer<byte> b, int depth) { if (depth > 0) { Use(b, depth - 1); } else { b.Dispose(); } }")]
    [InlineData("static void Use(PixelBuffer<byte> b) { b.Fill(1); Other(b); } static void Other(PixelBuffer<byte> b) { if (b.Width > 2) { Use(b); } else { b.Dispose(); } }")]
    [InlineData("static void Use(object b) { if (b is IDisposable own) { own.Dispose(); } }")]
    [InlineData("static void Use(object b) { switch (b) { case IDisposable own: own.Dispose(); break; } }")]
    [InlineData("static void Use(object b) => (b as IDisposable)?.Dispose();")]
    [InlineData("static void Use(IDisposable b) => b.Dispose();")]
    [InlineData("static void Use<T>(T b) where T : IDisposable => b.Dispose();")]
    [InlineData("static void Use(params PixelBuffer<byte>[] all) { foreach (var one in all) { one.Dispose(); } }")]
    [InlineData("static void Use(object b) => Console.WriteLine(b);")]
    [InlineData("static void Use(PixelBuffer<byte> b) => s_use(b); static readonly Action<PixelBuffer<byte>> s_use = b => b.Dispose();")]
    [InlineData("static void Use(PixelBuffer<byte> b) => s_user.Use(b); static readonly IUser s_user = null!; interface IUser { void Use(PixelBuffer<byte> b); }")]
    [InlineData("static void Use(PixelBuffer<byte> b) => s_user.Use(b); static readonly User s_user = new(); class User { public virtual void Use(PixelBuffer<byte> b) { } }")]
    [InlineData("[DllImport(\"native\")] static extern void Use(PixelBuffer<byte> b);")]
    [InlineData("static void Use(dynamic b) => b.Fill(1);")]
    [InlineData("static void Use(dynamic b) => b.Dispose();")]
    public Task Method_that_may_keep_or_dispose_it_has_it(string methods) => Finds($$"""
        {{methods}}
        static void M(PixelAllocator allocator)
        {
            var b = allocator.Rent<byte>(1, 1);
            Use(b);
        }
        """);

    [Fact]
    public Task Passing_it_on_directly_loses_it() => Finds("""
        static void Use(PixelBuffer<byte> b) => b.Fill(1);
        static void Free(PixelBuffer<byte> b) => b.Dispose();
        static async Task M(PixelAllocator allocator)
        {
            Use([|allocator.Rent<byte>(1, 1)|]);
            Use(await [|allocator.RentAsync<byte>(1, 1)|]);
            Free(allocator.Rent<byte>(1, 1));
            Free(await allocator.RentAsync<byte>(1, 1));
        }
        """);

    [Fact]
    public Task Extensions_methods_of_objects_and_local_functions_are_read() => Finds(
        """
        void Use(PixelBuffer<byte> b) => b.Fill(1);
        void M(PixelAllocator allocator, Sub sub, Super super)
        {
            var a = [|allocator.Rent<byte>(1, 1)|]; this.Use(a);
            var b = [|allocator.Rent<byte>(1, 1)|]; b.Brighten(3);
            var c = [|allocator.Rent<byte>(1, 1)|]; Local(c);
            var d = [|allocator.Rent<byte>(1, 1)|]; sub.Use(d);
            var e = allocator.Rent<byte>(1, 1); super.Use(e);
            var f = allocator.Rent<byte>(1, 1); b.Keep(f);
            var g = allocator.Rent<byte>(1, 1); Free(g);
            void Local(PixelBuffer<byte> image) => image.Fill(1);
            void Free(PixelBuffer<byte> image) => image.Dispose();
        }
        """,
        """
        public abstract class Super { public abstract void Use(PixelBuffer<byte> b); }
        public sealed class Sub : Super { public override void Use(PixelBuffer<byte> b) => b.Fill(1); }
        public static partial class Extensions
        {
            private static PixelBuffer<byte>? s_kept;
            public static void Brighten(this PixelBuffer<byte> image, byte by) => image[0, 0] += by;
            public static void Keep(this PixelBuffer<byte> image, PixelBuffer<byte> other) { other.CopyTo(image); s_kept = other; }
        }
        """);

    [Theory]
    [InlineData("PixelBuffer<byte>? b = null; try { b = allocator.Rent<byte>(1, 1); b.Fill(1); } finally { b?.DisposeQuietly(); }")]
    [InlineData("allocator.TryRent<byte>(1, 1, out var b); b?.DisposeQuietly();")]
    [InlineData("PixelBuffer<byte>? b = allocator.Rent<byte>(1, 1); b?.Own();")]
    [InlineData("PixelBuffer<byte>? b = allocator.Rent<byte>(1, 1); b?.Same().Dispose();")]
    [InlineData("PixelBuffer<byte>? b = allocator.Rent<byte>(1, 1); b?.Same()?.Dispose();")]
    [InlineData("PixelBuffer<byte>? b = [|allocator.Rent<byte>(1, 1)|]; b?.Look(image?.Same());")]
    [InlineData("PixelBuffer<byte>? b = [|allocator.Rent<byte>(1, 1)|]; b?.Look(image?.Width);")]
    [InlineData("PixelBuffer<byte>? b = [|allocator.Rent<byte>(1, 1)|]; b?.CopyTo(image); b?.View(0, 0, 1, 1)?.Dispose(); int? width = b?.Width;")]
    [InlineData("PixelBuffer<byte>? b = [|allocator.Rent<byte>(1, 1)|]; b?[0, 0] = 1; byte? first = b?[0, 0];")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; image?.Look(b);")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); image?.Swallow(b);")]
    public Task Extensions_are_read_even_if_they_are_not_called_on_null(string statements) => Finds(Method(statements), """
        public static class Extensions
        {
            private static readonly List<IDisposable> s_all = [];
            public static void DisposeQuietly(this IDisposable owner) { try { owner.Dispose(); } catch { } }
            public static void Own(this IDisposable owner) => s_all.Add(owner);
            public static PixelBuffer<byte> Same(this PixelBuffer<byte> image) => image;
            public static void Look(this PixelBuffer<byte> image, object? other) => image.Fill(1);
            public static void Swallow(this PixelBuffer<byte> image, IDisposable other) => other.Dispose();
        }
        """);

    [Fact]
    public Task Everything_that_is_rented_is_followed() => Finds("""
        static void Use(PixelLease<byte> l) => l.Fill(1);
        static void Use(in PixelLease<ushort> l) => l.Fill(1);
        static void Use(PinnedPixels p) => Console.WriteLine(p.Address);
        static void Use(IMemoryOwner<byte> o) => o.Memory.Span.Clear();
        static void Use(Stream s) => s.WriteByte(1);
        static void Use(RentScope s) => s.Rent<byte>(1, 1).Fill(1);
        static void M(PixelAllocator allocator, PixelBuffer<byte> image)
        {
            var a = [|allocator.Lease<byte>(1, 1)|]; Use(a);
            var b = [|allocator.Lease<ushort>(1, 1)|]; Use(in b);
            var c = [|image.Pin()|]; Use(c);
            var d = [|allocator.Allocate<byte>(1)|]; Use(d);
            var e = [|new PixelPoolStream(allocator)|]; Use(e);
            var f = [|new RentScope(allocator)|]; Use(f);
            if ([|allocator.TryLease<byte>(1, 1, out var g)|]) { Use(g); }
        }
        """);

    [Fact]
    public Task Long_chains_are_given_up() => Finds(
        string.Concat(Enumerable.Range(0, 100).Select(static number => $"static void Use{number}(PixelBuffer<byte> b) => Use{number + 1}(b);\n"))
        + """
        static void Use100(PixelBuffer<byte> b) => b.Fill(1);
        static void M(PixelAllocator allocator) { var b = allocator.Rent<byte>(1, 1); Use0(b); var c = [|allocator.Rent<byte>(1, 1)|]; Use99(c); }
        """);

    [Fact]
    public Task Methods_in_other_files_and_parts_are_read() => FindsInFiles(
        "public partial class Sample { static void M(PixelAllocator allocator) { var b = [|allocator.Rent<byte>(1, 1)|]; Use(b); Sub.Use(b); } static partial void Use(PixelBuffer<byte> b); }",
        "public partial class Sample { static partial void Use(PixelBuffer<byte> b) => b.Fill(1); }\npublic static class Sub { public static void Use(PixelBuffer<byte> b) => b.Fill(2); }");

    [Fact]
    public Task Methods_that_call_each_other_in_circles_are_read_by_several_threads_at_once() => Finds(
        string.Concat(Enumerable.Range(0, 10).Select(static number => $"static void Use{number}(PixelBuffer<byte> b) {{ Use{(number + 1) % 10}(b); Use{(number + 3) % 10}(b); }}\n"))
        + string.Concat(Enumerable.Range(0, 10).Select(static number =>
            $"static void Free{number}(PixelBuffer<byte> b) {{ Free{(number + 1) % 10}(b); if (b.Width > {number}) {{ Use{number}(b); }} {(number == 7 ? "else { b.Dispose(); }" : "")} }}\n"))
        + string.Concat(Enumerable.Range(0, 200).Select(static number =>
            $"static void M{number}(PixelAllocator a) {{ var b = [|a.Rent<byte>(1, 1)|]; Use{number % 10}(b); var c = a.Rent<byte>(1, 1); Free{number % 10}(c); }}\n")));
}
