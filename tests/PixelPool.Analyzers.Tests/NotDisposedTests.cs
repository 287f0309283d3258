namespace PixelPool.Analyzers.Tests;

public sealed class NotDisposedTests() : AnalyzerTests(new NotDisposedAnalyzer())
{
    [Theory]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; b.Fill(1);")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; b.CopyTo(image);")]
    [InlineData("PixelBuffer<byte> b; b = [|allocator.Rent<byte>(1, 1)|]; b[0, 0] = 1;")]
    [InlineData("_ = [|allocator.Rent<byte>(1, 1)|];")]
    [InlineData("[|allocator.Rent<byte>(1, 1)|].Fill(1);")]
    [InlineData("int w = [|allocator.Rent<byte>(1, 1)|].Width;")]
    [InlineData("[|allocator.ReserveScope(1)|];")]
    [InlineData("[|allocator.RentAsync<byte>(1, 1)|];")]
    [InlineData("[|allocator.RentAsync<byte>(1, 1)|].AsTask();")]
    [InlineData("var v = [|image.View(0, 0, 1, 1)|]; v.Clear();")]
    [InlineData("var c = [|image.Cast<byte>()|]; c.Clear();")]
    [InlineData("var v = [|image.AsReadOnly().View(0, 0, 1, 1)|]; v.WriteTo(Stream.Null);")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; ReadOnlyPixelBuffer<byte> r = [|allocator.Wrap<byte>(new ReadOnlyMemory<byte>(new byte[1]), 1, 1)|]; r.CopyTo(b);")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; int w = b.AsReadOnly().Width;")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; image.FilterPixelRows(b.AsReadOnly(), static (to, from) => { });")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; Look(b); static void Look(ReadOnlyPixelBuffer<byte> image) => image.WriteTo(Stream.Null);")]
    [InlineData("var p = [|image.Pin()|]; ((byte*)p.Pointer)[0] = 1;")]
    [InlineData("byte* p = (byte*)[|image.Pin()|].Pointer;")]
    [InlineData("var l = [|allocator.Lease<byte>(1, 1)|]; l.ProcessPixelRows(static a => { });")]
    [InlineData("using var l = allocator.Lease<byte>(1, 1); [|l.AsBuffer()|].Fill(1);")]
    [InlineData("var s = [|new RentScope(allocator)|]; s.Rent<byte>(1, 1);")]
    [InlineData("var s = [|allocator.CreateScope(1)|]; s.Rent<byte>(1, 1);")]
    [InlineData("var c = [|allocator.ChargeExternal(1)|]; Console.WriteLine(c.Bytes);")]
    [InlineData("Memory<byte> m = [|allocator.Allocate<byte>(1)|].Memory;")]
    [InlineData("var o = [|allocator.Allocate<byte>(1)|]; o.Memory.Span.Clear();")]
    [InlineData("if ([|allocator.TryRent<byte>(1, 1, out var b)|]) { b.Fill(1); }")]
    [InlineData("[|allocator.TrackLeaks()|].AssertNone();")]
    [InlineData("var b = [|allocator.Wrap<byte>(new byte[1], 1, 1)|]; b.Fill(1);")]
    [InlineData("Action a = () => { var b = [|allocator.Rent<byte>(1, 1)|]; b.Fill(1); };")]
    [InlineData("void Local() { var b = [|allocator.Rent<byte>(1, 1)|]; b.Fill(1); }")]
    [InlineData("while (condition) { var b = [|allocator.Rent<byte>(1, 1)|]; b.Fill(1); }")]
    public Task Nobody_disposes_it(string statements) => FindsIn(statements);

    [Theory]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; if (condition) { return; } b.Dispose();")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; if (condition) { b.Dispose(); }")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; if (condition) { b.Dispose(); } Console.WriteLine(1); if (image.Width > 1) { Console.WriteLine(2); }")]
    [InlineData("while (true) { var b = [|allocator.Rent<byte>(1, 1)|]; if (condition) { continue; } b.Dispose(); }")]
    [InlineData("while (true) { var b = [|allocator.Rent<byte>(1, 1)|]; if (condition) { break; } b.Dispose(); }")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; b = allocator.Rent<byte>(2, 2); b.Dispose();")]
    [InlineData("if (![|allocator.TryRent<byte>(1, 1, out var b)|]) { return; } if (condition) { return; } b.Dispose();")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; try { if (condition) { return; } } finally { Console.WriteLine(1); } b.Dispose();")]
    [InlineData("Action a = () => { var b = [|allocator.Rent<byte>(1, 1)|]; if (condition) { return; } b.Dispose(); };")]
    [InlineData("void Local() { var b = [|allocator.Rent<byte>(1, 1)|]; if (condition) { return; } b.Dispose(); }")]
    [InlineData("try { Action a = () => { var b = [|allocator.Rent<byte>(1, 1)|]; if (condition) { return; } b.Dispose(); }; a(); } catch (Exception) { }")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; while (true) { if (condition) { return; } if (image.Width == 1) { b.Dispose(); return; } }")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; while (false) { b.Dispose(); }")]
    [InlineData("const bool early = true; var b = [|allocator.Rent<byte>(1, 1)|]; if (early) { return; } b.Dispose();")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; try { Console.WriteLine(1); } finally { if (false) { b.Dispose(); } }")]
    public Task One_way_out_does_not_dispose_it(string statements) => FindsIn(statements);

    [Theory]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); b.Fill(1);")]
    [InlineData("using (var b = allocator.Rent<byte>(1, 1)) { b.Fill(1); }")]
    [InlineData("using (allocator.Rent<byte>(1, 1)) { }")]
    [InlineData("using var r = allocator.Wrap<byte>(1, 1, 1, 1).AsReadOnly(); r.WriteTo(Stream.Null);")]
    [InlineData("using ReadOnlyPixelBuffer<byte> r = allocator.Rent<byte>(1, 1); r.WriteTo(Stream.Null);")]
    [InlineData("ReadOnlyPixelBuffer<byte> r = allocator.Rent<byte>(1, 1); r.WriteTo(Stream.Null); r.Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); var r = b.AsReadOnly(); r.Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); using (b) { b.Fill(1); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); b.Fill(1); b.Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); b?.Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); ((IDisposable)b).Dispose();")]
    [InlineData("allocator.Rent<byte>(1, 1).Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); try { if (condition) { return; } } finally { b.Dispose(); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); try { if (condition) { return; } } finally { b?.Dispose(); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (condition) { b.Dispose(); return; } b.Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (condition) { throw new Exception(); } b.Dispose();")]
    [InlineData("if (allocator.TryRent<byte>(1, 1, out var b)) { using (b) { b.Fill(1); } }")]
    [InlineData("if (!allocator.TryRent<byte>(1, 1, out var b)) { return; } b.Fill(1); b.Dispose();")]
    [InlineData("bool got = allocator.TryRent<byte>(1, 1, out var b); if (!got) { return; } b!.Dispose();")]
    [InlineData("if (condition && allocator.TryRent<byte>(1, 1, out var b)) { b.Dispose(); }")]
    [InlineData("if (allocator.TryRent<byte>(1, 1, out var b) && condition) { b.Fill(1); } b?.Dispose();")]
    [InlineData("PixelBuffer<byte>? b = null; if (condition) { b = allocator.Rent<byte>(1, 1); } image.Fill(1); b?.Dispose();")]
    [InlineData("PixelBuffer<byte>? b = null; try { b = allocator.Rent<byte>(1, 1); } finally { if (b != null) { b.Dispose(); } }")]
    [InlineData("PixelBuffer<byte>? b = null; try { b = allocator.Rent<byte>(1, 1); } finally { if (b is not null) { b.Dispose(); } }")]
    [InlineData("var b = image; bool own = false; if (condition) { b = allocator.Rent<byte>(1, 1); own = true; } b.Fill(1); if (own) { b.Dispose(); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); bool done = false; if (condition) { b.Dispose(); done = true; } image.Fill(1); if (!done) { b.Dispose(); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); while (condition) { b.Dispose(); b = allocator.Rent<byte>(2, 2); } b.Dispose();")]
    [InlineData("foreach (int i in new int[3]) { var b = allocator.Rent<byte>(1, 1); b.Fill(1); b.Dispose(); }")]
    public Task It_is_disposed(string statements) => FindsIn(statements);

    [Theory]
    [InlineData("var b = allocator.Rent<byte>(1, 1); while (true) { b.Fill(1); if (condition) { b.Dispose(); return; } }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); do { b.Fill(1); if (condition) { b.Dispose(); return; } } while (true);")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); for (; true;) { b.Fill(1); if (condition) { b.Dispose(); return; } }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); while (true) { try { if (condition) { return; } } finally { b.Dispose(); } }")]
    [InlineData("while (true) { var b = allocator.Rent<byte>(1, 1); if (condition) { b.Dispose(); return; } b.Dispose(); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (true) { b.Dispose(); }")]
    [InlineData("const bool own = true; var b = allocator.Rent<byte>(1, 1); if (own) { b.Dispose(); }")]
    [InlineData("const bool given = false; var b = allocator.Rent<byte>(1, 1); if (!given) { b.Dispose(); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); try { b.Fill(1); } finally { if (true) { b.Dispose(); } }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (false) { return; } b.Dispose();")]
    public Task No_way_leads_where_a_constant_condition_never_does(string statements) => FindsIn(statements);

    [Fact]
    public Task Endless_loop_is_left_by_what_is_in_it() => Finds("""
        static IEnumerable<int> A(PixelAllocator allocator) { var b = allocator.Rent<byte>(1, 1); while (true) { yield return b.Width; if (b[0, 0] == 1) { b.Dispose(); yield break; } } }
        static IEnumerable<int> B(PixelAllocator allocator) { var b = [|allocator.Rent<byte>(1, 1)|]; while (true) { yield return b.Width; if (b[0, 0] == 1) { yield break; } if (b[0, 0] == 2) { b.Dispose(); yield break; } } }
        static async Task C(PixelAllocator allocator, Stream from)
        {
            var s = new PixelPoolStream(allocator);
            while (true) { int n = await from.ReadAsync(s.GetMemory()); if (n == 0) { await s.DisposeAsync(); return; } s.Advance(n); }
        }
        """);

    [Theory]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (condition) { Fail(); } else { b.Dispose(); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (condition) { Fail(); return; } b.Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); switch (image.Width) { case 1: b.Dispose(); break; default: Fail(); break; }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); int width = condition ? Failed<int>() : b.Width; if (condition) { _ = Failed<int>() + 1; } else { b.Dispose(); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (condition) { Environment.FailFast(null); return; } b.Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (condition) { Environment.Exit(1); return; } b.Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (condition) { Own.Fail(); } else { b.Dispose(); }")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; if (condition) { Report(); } else { b.Dispose(); }")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; Action fail = () => Fail(); if (condition) { return; } b.Dispose();")]
    public Task Nothing_follows_a_call_that_does_not_return(string statements) => Finds(
        $$"""
        [System.Diagnostics.CodeAnalysis.DoesNotReturn] static void Fail() => throw new Exception();
        [System.Diagnostics.CodeAnalysis.DoesNotReturn] static T Failed<T>() => throw new Exception();
        static void Report() => Console.WriteLine();
        {{Method(statements)}}
        """,
        """
        // As libraries declare it that are built for systems without it.
        public static class Own { [CodeAnalysis.DoesNotReturn] public static void Fail() => throw new Exception(); }
        namespace CodeAnalysis { internal sealed class DoesNotReturnAttribute : Attribute { } }
        """);

    [Theory]
    [InlineData("PixelBuffer<byte> b; P = b = allocator.Rent<byte>(1, 1); b.Fill(1);")]
    [InlineData("PixelBuffer<byte> b; new List<PixelBuffer<byte>>().Add(b = allocator.Rent<byte>(1, 1)); b.Fill(1);")]
    [InlineData("PixelBuffer<byte> b; using (b = allocator.Rent<byte>(1, 1)) { b.Fill(1); }")]
    [InlineData("PixelBuffer<byte> b; (b = allocator.Rent<byte>(1, 1)).Dispose();")]
    [InlineData("PixelBuffer<byte> b; var c = b = allocator.Rent<byte>(1, 1); b.Fill(1); c.Dispose();")]
    [InlineData("PixelBuffer<byte> b; var c = P ?? (b = allocator.Rent<byte>(1, 1)); c.Dispose();")]
    [InlineData("PixelBuffer<byte> b; if ((b = allocator.Rent<byte>(1, 1)) is { } c) { c.Dispose(); }")]
    [InlineData("Func<PixelBuffer<byte>> f = () => { PixelBuffer<byte> b; return b = allocator.Rent<byte>(1, 1); }; f().Dispose();")]
    [InlineData("var b = _ = allocator.Rent<byte>(1, 1); b.Dispose();")]
    [InlineData("PixelBuffer<byte> b; for (b = [|allocator.Rent<byte>(1, 1)|]; condition;) { b.Fill(1); }")]
    public Task Assignment_that_is_a_value_hands_it_on(string statements) => Finds($"static PixelBuffer<byte>? P {{ get; set; }}\n{Method(statements)}");

    [Theory]
    [InlineData("var b = allocator.Rent<byte>(1, 1); Take(b);")]
    [InlineData("Take(allocator.Rent<byte>(1, 1));")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); _field = b;")]
    [InlineData("_field = allocator.Rent<byte>(1, 1);")]
    [InlineData("_fields[0] = allocator.Rent<byte>(1, 1);")]
    [InlineData("_list.Add(allocator.Rent<byte>(1, 1));")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); _list.Add(b);")]
    [InlineData("var all = new[] { allocator.Rent<byte>(1, 1) };")]
    [InlineData("List<PixelBuffer<byte>> all = [allocator.Rent<byte>(1, 1)];")]
    [InlineData("var pair = (allocator.Rent<byte>(1, 1), 1);")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); var c = b; c.Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); Action free = () => b.Dispose(); free();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); Action free = b.Dispose; free();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); void Free() { b.Dispose(); } Free();")]
    [InlineData("var b = condition ? allocator.Rent<byte>(1, 1) : image; b.Fill(1);")]
    [InlineData("allocator.TryRent<byte>(1, 1, out _field);")]
    [InlineData("var o = allocator.Allocate<byte>(16); using var b = allocator.Wrap<byte>(o, 1, 1, 4);")]
    [InlineData("var made = new Lazy<PixelBuffer<byte>>(() => allocator.Rent<byte>(1, 1));")]
    [InlineData("Action a = () => allocator.Rent<byte>(0, 1);")]
    [InlineData("Action a = () => image.View(0, 0, 2, 2).Pin();")]
    [InlineData("Action a = () => Look(allocator.Rent<byte>(0, 1));")]
    [InlineData("Func<ValueTask<PixelBuffer<byte>>> a = () => allocator.RentAsync<byte>(0, 1);")]
    [InlineData("Action a = () => allocator.RentAsync<byte>(0, 1);")]
    [InlineData("Make(allocator);")]
    [InlineData("Make(allocator).Fill(1);")]
    [InlineData("PixelAllocator.Create();")]
    [InlineData("Func<int> a = () => allocator.Rent<byte>(0, 1).Width;")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); image.ProcessPixelRows(accessor => b.Dispose());")]
    [InlineData("Is(false, allocator.TryRent<byte>(1, 1, out var none), $\"{none}\");")]
    [InlineData("var pending = allocator.RentAsync<byte>(1, 1); pending.AsTask().Wait(); _ = allocator.ReserveScopeAsync(0);")]
    public Task Somebody_else_has_it(string statements) => Finds($$"""
        static PixelBuffer<byte>? _field;
        static readonly PixelBuffer<byte>[] _fields = new PixelBuffer<byte>[1];
        static readonly List<PixelBuffer<byte>> _list = [];
        static void Take(PixelBuffer<byte> taken) => taken.Dispose();
        static void Look(PixelBuffer<byte> looked) => looked.Fill(1);
        static PixelBuffer<byte> Make(PixelAllocator allocator) => allocator.Rent<byte>(1, 1);
        static void Is(bool expected, bool actual, string message) { }
        {{Method(statements)}}
        """);

    [Theory]
    [InlineData("using var s = new RentScope(allocator); s.Rent<byte>(1, 1).Fill(1); var b = s.Rent<byte>(1, 1); b.Fill(1);")]
    [InlineData("using var s = new RentScope(allocator); Memory<byte> m = s.Allocate<byte>(1).Memory;")]
    [InlineData("using var s = allocator.ReserveScope(1); s.ChargeExternal(1); s.CreateScope(1).Rent<byte>(1, 1); s.TryRent<byte>(1, 1, out var b);")]
    [InlineData("using var s = new RentScope(allocator); s.RentPlanar(PlanarLayout.Yuv420(2, 2)); s.TryRentPlanar(PlanarLayout.Yuv420(2, 2), out var p);")]
    public Task Scope_disposes_it(string statements) => FindsIn(statements);

    [Fact]
    public Task View_is_disposed_by_nobody_else_even_in_a_scope() =>
        FindsIn("using var s = new RentScope(allocator); var b = s.Rent<byte>(2, 2); var v = [|b.View(0, 0, 1, 1)|]; v.Fill(1);");

    [Theory]
    [InlineData("var b = allocator.Rent<byte>(1, 1); try { b.Fill(1); } finally { b.Finish(); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); b.Keep();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); b?.Finish();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); bool? ended = b?.Ended;")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); while (!b.Ended) { b.Fill(1); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (b is { Ended: true }) { return; }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (condition) { return; } b.Close();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); var sum = b + image; sum.Fill(1);")]
    [InlineData("allocator.Rent<byte>(1, 1).Finish();")]
    [InlineData("bool ended = allocator.Rent<byte>(1, 1).Ended;")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); Extensions.Finish(b);")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); Extensions.Finish(image, b);")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); image.Finish(b);")]
    [InlineData("var b = [|allocator.Rent<byte>(1, 1)|]; image.Look(b);")]
    [InlineData("var o = allocator.Allocate<byte>(1); o.Finish();")]
    public Task Extension_block_may_dispose_or_keep_it(string statements) => Finds(Method(statements), """
        public static class Extensions
        {
            private static IDisposable? s_last;
            extension(PixelBuffer<byte> image)
            {
                public bool Ended { get { image.Dispose(); return true; } }
                public void Finish() => image.Dispose();
                public void Finish(PixelBuffer<byte> other) => other.Dispose();
                public void Look(PixelBuffer<byte> other) => other.CopyTo(image);
                public void Keep() => s_last = image;
                public void Close() => Keep(image);
                public static PixelBuffer<byte> operator +(PixelBuffer<byte> one, PixelBuffer<byte> other) { one.Dispose(); return other; }
            }

            extension(IDisposable owner) { public void Finish() => owner.Dispose(); }
        }
        """);

    [Theory]
    [InlineData("var b = allocator.Rent<byte>(1, 1); Free(b);")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); ((Bitmap)b).Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); using ((Bitmap)b) { b.Fill(1); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); int width = ((Bitmap)b).Width;")]
    [InlineData("Free(allocator.Rent<byte>(1, 1));")]
    [InlineData("using Bitmap b = allocator.Rent<byte>(1, 1);")]
    [InlineData("Bitmap b = allocator.Rent<byte>(1, 1); b.Dispose();")]
    [InlineData("Bitmap b; b = allocator.Rent<byte>(1, 1); Console.WriteLine(b.Width);")]
    public Task Conversion_of_another_type_may_keep_it(string statements) => Finds(
        $"static void Free(Bitmap b) => b.B.Dispose();\n{Method(statements)}",
        """
        public sealed class Bitmap : IDisposable
        {
            public required PixelBuffer<byte> B;
            public int Width => B.Width;
            public static implicit operator Bitmap(PixelBuffer<byte> b) => new Bitmap { B = b };
            public void Dispose() => B.Dispose();
        }
        """);

    [Fact]
    public Task Operator_of_another_type_may_keep_it() => Finds("""
        static Stack Push(PixelAllocator allocator, Stack stack) { var b = allocator.Rent<byte>(1, 1); return stack + b; }
        class Stack { public IDisposable? Top; public static Stack operator +(Stack stack, PixelBuffer<byte> b) { stack.Top = b; return stack; } }
        """);

    [Fact]
    public Task Pixels_may_be_used_in_a_delegate_without_handing_the_buffer_on() => FindsIn("""
        var b = [|allocator.Rent<byte>(1, 1)|];
        image.ProcessPixelRows(accessor => b[0, 0] = accessor.GetRowSpan(0)[0]);
        var c = [|allocator.Rent<byte>(1, 1)|];
        image.ProcessPixelRows([image], (accessor, others) => c[0, 0] = accessor.GetRowSpan(0)[0]);
        """);

    [Fact]
    public Task Asynchronous_rents_are_rents() => Finds("""
        static async Task M(PixelAllocator allocator)
        {
            var a = await [|allocator.RentAsync<byte>(1, 1)|];
            a.Fill(1);
            var b = await [|allocator.RentAsync<byte>(1, 1)|].ConfigureAwait(false);
            b.Fill(1);
            using var c = await allocator.RentAsync<byte>(1, 1).ConfigureAwait(false);
            (await [|allocator.RentAsync<byte>(1, 1)|]).Fill(1);
            var d = [|allocator.RentAsync<byte>(1, 1)|].AsTask().Result;
            d.Fill(1);
            var pending = allocator.RentAsync<byte>(1, 1);
            using var e = await pending;
            using RentScope s = await allocator.ReserveScopeAsync(1);
            var f = await allocator.RentAsync<byte>(1, 1);
            try { await Task.Yield(); } finally { f.Dispose(); }
            var g = await [|allocator.RentAsync<byte>(1, 1)|];
            if (a.Width == 1) { return; }
            g.Dispose();
        }
        """);

    [Fact]
    public Task Returned_is_handed_on() => Finds("""
        static PixelBuffer<byte> A(PixelAllocator allocator) => allocator.Rent<byte>(1, 1);
        static PixelBuffer<byte> B(PixelAllocator allocator) { var b = allocator.Rent<byte>(1, 1); b.Fill(1); return b; }
        static ValueTask<PixelBuffer<byte>> C(PixelAllocator allocator) => allocator.RentAsync<byte>(1, 1);
        static bool D(PixelAllocator allocator, out PixelBuffer<byte>? b) => allocator.TryRent(1, 1, out b);
        static void E(PixelAllocator allocator, out PixelBuffer<byte> b) { b = allocator.Rent<byte>(1, 1); }
        static IEnumerable<PixelBuffer<byte>> F(PixelAllocator allocator) { yield return allocator.Rent<byte>(1, 1); }
        static (PixelBuffer<byte>, int) G(PixelAllocator allocator) { var b = allocator.Rent<byte>(1, 1); return (b, 1); }
        readonly PixelBuffer<byte> _held = PixelAllocator.Shared.Rent<byte>(1, 1);
        PixelBuffer<byte> Held { get; } = PixelAllocator.Shared.Rent<byte>(1, 1);
        """);

    [Fact]
    public Task Other_owners_are_not_ours() => FindsIn("var o = MemoryPool<byte>.Shared.Rent(1); o.Memory.Span.Clear(); var stream = new MemoryStream(); stream.WriteByte(1);");

    [Fact]
    public Task Everything_that_is_rented_is_known() => Finds(Method("""
        if ([|allocator.TryLease<byte>(1, 1, out var l)|]) { Console.WriteLine(l.Width); }
        if ([|allocator.TryAllocate<byte>(1, out var o)|]) { Console.WriteLine(o.Memory.Length); }
        var c = [|image.Clone()|]; Console.WriteLine(c.Width);
        var s = [|new PixelPoolStream(allocator)|]; s.WriteByte(1);
        var p = [|allocator.RentPlanar(PlanarLayout.Yuv420(2, 2))|]; Console.WriteLine(p.ToString());
        if ([|allocator.TryRentPlanar(PlanarLayout.Yuv420(2, 2), out var tried)|]) { Console.WriteLine(tried.ToString()); }
        var z = [|allocator.LeasePlanar(PlanarLayout.Yuv420(2, 2))|]; Console.WriteLine(z.GetPlane(0).Width);
        var y = [|p.Clone()|]; Console.WriteLine(y.Width);
        var x = [|image.AsSubsampledPlane(2)|]; Console.WriteLine(x.Width);
        var t = [|allocator.AllocateStructs<byte>(1)|]; Console.WriteLine(t.Memory.Length);
        [|allocator.AllocateStructs<byte>(1)|];
        using var q = new PixelPoolStream(allocator);
        """));

    [Fact]
    public Task Pins_that_are_given_away_are_not_forgotten() => Finds(Method("""
        NativePixels given = image.Pin().GiveToNative();
        var pin = image.Pin(); given = pin.GiveToNative();
        var kept = [|image.Pin()|]; Console.WriteLine(kept.Width);
        """));

    [Fact]
    public Task Views_of_leases_hold_nothing() => Finds(Method("""
        using var lease = allocator.Lease<byte>(10, 10);
        var view = lease.View(0, 0, 1, 1); view.Fill(1);
        var cast = lease.Cast<byte>(); cast.Fill(1);
        image.AsLease().Fill(2);
        """));

    [Fact]
    public Task What_is_awaited_is_known() => Finds("""
        static async Task M(PixelAllocator allocator)
        {
            var l = await [|allocator.LeaseAsync<byte>(1, 1)|]; Console.WriteLine(l.Width);
            var o = await [|allocator.AllocateAsync<byte>(1)|]; Console.WriteLine(o.Memory);
            await using var s = new PixelPoolStream(allocator);
        }
        """);

    /// <summary>Who types writes what is no program: a jump out of a finally block.</summary>
    [Theory]
    [InlineData("while (condition) { var b = allocator.Rent<byte>(1, 1); try { b.Fill(1); } finally { break; } }")]
    [InlineData("while (condition) { var b = allocator.Rent<byte>(1, 1); try { b.Fill(1); } finally { if (b.Width > 1) { continue; } } b.Dispose(); }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); try { b.Fill(1); } finally { goto End; } End: b.Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); try { b.Fill(1); } finally { return; }")]
    public async Task Jumps_out_of_a_finally_block_are_survived(string statements) =>
        await Compiling.AnalyzeAsync(Compiling.Compile(Compiling.File(Method(statements))), new NotDisposedAnalyzer());
}
