using Microsoft.CodeAnalysis.CSharp;
using PixelPool.CodeFixes;

namespace PixelPool.Analyzers.Tests;

public sealed class AddUsingFixTests() : FixTests(new NotDisposedAnalyzer(), new AddUsingFix())
{
    private const string Later = """
        static async Task UseAsync(PixelBuffer<byte> buffer) { await Task.Yield(); buffer.Fill(1); }
        static async Task<int> CountAsync(PixelBuffer<byte> buffer) { await Task.Yield(); return buffer.Width; }
        static byte[] Encode(PixelBuffer<byte> buffer) => new byte[buffer.Width];
        static IEnumerable<int> Lazily(PixelBuffer<byte> buffer) { yield return buffer.Width; }
        static int Sum(ReadOnlySpan<byte> values) => values.Length;
        static Memory<byte> s_memory, s_other;
        static List<Memory<byte>> s_list = new();
        static Action s_action = () => { };
        static nint s_address;
        static int s_width;
        """;

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
    [InlineData("var l = allocator.Lease<byte>(1, 1); if (l.Width == 1) { return; } using (l) { l.Fill(1); }")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); if (l.Width == 1) { return; } using ((IDisposable)l) { l.Fill(1); }")]
    [InlineData("var l = allocator.Lease<byte>(1, 1); if (l.Width == 1) { return; } ((IDisposable)l).Dispose();")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); if (b.Width == 1) { return; } (b as IDisposable)?.Dispose();")]
    [InlineData("var s = new PixelPoolStream(allocator); if (s.Length == 1) { return; } s.Close();")]
    [InlineData("var s = new PixelPoolStream(allocator); if (s.Length == 1) { return; } s?.Close();")]
    [InlineData("var s = new PixelPoolStream(allocator); if (s.Length == 1) { return; } s.DisposeAsync().AsTask().Wait();")]
    [InlineData("if (allocator.TryLease<byte>(1, 1, out var l)) { if (l.Width == 1) { return; } using (l) { l.Fill(1); } }")]
    [InlineData("PixelBuffer<byte> a; a = allocator.Rent<byte>(1, 1);")]
    [InlineData("var a = allocator.Rent<byte>(1, 1); a = allocator.Rent<byte>(2, 2);")]
    [InlineData("allocator.Rent<byte>(1, 1).Fill(1);")]
    [InlineData("if (allocator.IsFull()) _ = allocator.Rent<byte>(1, 1);")]
    [InlineData("allocator.RentAsync<byte>(1, 1);")]
    [InlineData("bool got = allocator.TryRent<byte>(1, 1, out var b); b?.Fill(1);")]
    [InlineData("if (allocator.TryRent<byte>(1, 1, out var b) && b.Width > 1) { b.Fill(1); }")]
    [InlineData("if (!allocator.TryRent<byte>(1, 1, out var b)) { Console.WriteLine(1); } b?.Fill(1);")]
    [InlineData("if (!allocator.TryRent<byte>(1, 1, out var b)) { return; } Fill(); void Fill() => Console.WriteLine(1);")]
    [InlineData("if (allocator.TryRent<byte>(1, 1, out var b)) { b.Fill(1); if (b.Width > 1) { b.Dispose(); } }")]
    [InlineData("PixelBuffer<byte>? b; if (allocator.TryRent<byte>(1, 1, out b)) { b.Fill(1); } b?.Fill(2);")]
    [InlineData("PixelBuffer<byte> a = allocator.Rent<byte>(1, 1), b = Given();")]
    [InlineData("PixelBuffer<byte> a = allocator.Rent<byte>(1, 1), b;")]
    [InlineData("PixelBuffer<byte> a = allocator.Rent<byte>(1, 1), b = allocator.Rent<byte>(1, 1); b.Dispose();")]
    [InlineData("int width = allocator.Rent<byte>(1, 1).Width;")]
    public Task What_needs_thought_is_left(string statements) => OffersNothing(
        $"static PixelBuffer<byte> Given() => null!;\nstatic void M(PixelAllocator allocator) {{ {statements} }}",
        "public static class Extensions { public static bool IsFull(this PixelAllocator allocator) => true; }");

    [Theory]
    [InlineData("Task", "var b = allocator.Rent<byte>(1, 1); return UseAsync(b);")]
    [InlineData("Task<int>", "var b = allocator.Rent<byte>(1, 1); return CountAsync(b);")]
    [InlineData("Task", "var b = allocator.Rent<byte>(1, 1); return b.ReadFromAsync(Stream.Null).AsTask();")]
    [InlineData("void", "var b = allocator.Rent<byte>(1, 1); _ = UseAsync(b);")]
    [InlineData("void", "var b = allocator.Rent<byte>(1, 1); new List<Task>().Add(UseAsync(b));")]
    [InlineData("async Task", "var b = allocator.Rent<byte>(1, 1); Task use = UseAsync(b); await Task.Yield();")]
    [InlineData("IEnumerable<int>", "var b = allocator.Rent<byte>(1, 1); return Lazily(b);")]
    [InlineData("void", "var b = allocator.Rent<byte>(1, 1); var later = Lazily(b);")]
    [InlineData("Memory<byte>", "var o = allocator.Allocate<byte>(1); return o.Memory;")]
    [InlineData("nint", "var p = image.Pin(); return p.Address;")]
    [InlineData("void", "var o = allocator.Allocate<byte>(1); s_memory = o.Memory;")]
    [InlineData("void", "var o = allocator.Allocate<byte>(1); s_memory = s_other = o.Memory.Slice(1);")]
    [InlineData("void", "var o = allocator.Allocate<byte>(1); s_list.Add(o.Memory);")]
    [InlineData("void", "var o = allocator.Allocate<byte>(1); s_list = new List<Memory<byte>> { o.Memory };")]
    [InlineData("void", "var o = allocator.Allocate<byte>(1); new List<(int, Memory<byte>)>().Add((1, o.Memory));")]
    [InlineData("Memory<byte>", "var o = allocator.Allocate<byte>(1); var m = o.Memory; return m;")]
    [InlineData("Memory<byte>", "var o = allocator.Allocate<byte>(1); Memory<byte> m; m = o.Memory; var n = m; return n;")]
    [InlineData("void", "var o = allocator.Allocate<byte>(1); var m = o.Memory; s_list.Add(m);")]
    [InlineData("void", "var o = allocator.Allocate<byte>(1); var m = o.Memory; s_action = () => m.Span[0] = 1;")]
    [InlineData("Span<byte>", "var b = allocator.Rent<byte>(1, 1); Span<byte> s = b.DangerousGetRowSpan(0); return s;")]
    [InlineData("Span<byte>", "var b = allocator.Rent<byte>(1, 1); Span<byte> s; s = b.DangerousGetRowSpan(0).Slice(0); return s;")]
    [InlineData("ref byte", "var b = allocator.Rent<byte>(1, 1); return ref b.DangerousGetRowSpan(0)[0];")]
    [InlineData("ref byte", "var b = allocator.Rent<byte>(1, 1); ref byte r = ref b.DangerousGetRowSpan(0)[0]; return ref r;")]
    [InlineData("nint", "var p = image.Pin(); nint a = p.Address; return a;")]
    [InlineData("void", "var p = image.Pin(); s_address = p.Address;")]
    [InlineData("Memory<byte>", "var b = allocator.Rent<byte>(1, 1); return b.DangerousTryGetSinglePixelMemory(out var m) ? m : default;")]
    [InlineData("void", "var b = allocator.Rent<byte>(1, 1); b.DangerousTryGetSinglePixelMemory(out s_memory);")]
    [InlineData("Memory<byte>", "Memory<byte> m = default; if (allocator.TryRent<byte>(1, 1, out var b)) { b.DangerousTryGetSinglePixelMemory(out m); } return m;")]
    [InlineData("Memory<byte>", "if (!allocator.TryRent<byte>(1, 1, out var b)) { return default; } b.DangerousTryGetSinglePixelMemory(out var m); return m;")]
    [InlineData("Task", "if (allocator.TryRent<byte>(1, 1, out var b)) { return UseAsync(b); } return Task.CompletedTask;")]
    [InlineData("Task", "if (!allocator.TryRent<byte>(1, 1, out var b)) { return Task.CompletedTask; } return UseAsync(b);")]
    public Task What_is_used_after_its_block_is_left(string result, string statements) =>
        OffersNothing($"{Later}\nstatic {result} M(PixelAllocator allocator, PixelBuffer<byte> image) {{ {statements} }}");

    [Theory]
    [InlineData("var b = allocator.Rent<byte>(1, 1); await UseAsync(b);", "using var b = allocator.Rent<byte>(1, 1); await UseAsync(b);")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); await UseAsync(b).ConfigureAwait(false);", "using var b = allocator.Rent<byte>(1, 1); await UseAsync(b).ConfigureAwait(false);")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); return 1 + await CountAsync(b);", "using var b = allocator.Rent<byte>(1, 1); return 1 + await CountAsync(b);")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); foreach (int i in Lazily(b)) { }", "using var b = allocator.Rent<byte>(1, 1); foreach (int i in Lazily(b)) { }")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); return b[0, 0];", "using var b = allocator.Rent<byte>(1, 1); return b[0, 0];")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); return Encode(b);", "using var b = allocator.Rent<byte>(1, 1); return Encode(b);")]
    [InlineData("var o = allocator.Allocate<byte>(1); await Stream.Null.WriteAsync(o.Memory);", "using var o = allocator.Allocate<byte>(1); await Stream.Null.WriteAsync(o.Memory);")]
    [InlineData("var o = allocator.Allocate<byte>(1); var m = o.Memory; m.Span[0] = 1; return Sum(m.Span);", "using var o = allocator.Allocate<byte>(1); var m = o.Memory; m.Span[0] = 1; return Sum(m.Span);")]
    [InlineData("var o = allocator.Allocate<byte>(1); var m = o.Memory; return m.ToArray();", "using var o = allocator.Allocate<byte>(1); var m = o.Memory; return m.ToArray();")]
    [InlineData("var o = allocator.Allocate<byte>(1); _ = o.Memory; s_width = o.Memory.Length;", "using var o = allocator.Allocate<byte>(1); _ = o.Memory; s_width = o.Memory.Length;")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); int? w = b?.Width; return w;", "using var b = allocator.Rent<byte>(1, 1); int? w = b?.Width; return w;")]
    public Task What_has_ended_with_its_block_gets_a_using(string statements, string expected) => Fixes(Awaiting(statements), Awaiting(expected));

    [Theory]
    [InlineData("_ = allocator.Rent<byte>(1, 1);", "using var buffer = allocator.Rent<byte>(1, 1);")]
    [InlineData("_ = await allocator.RentAsync<byte>(1, 1).ConfigureAwait(false);", "using var buffer = await allocator.RentAsync<byte>(1, 1).ConfigureAwait(false);")]
    [InlineData("allocator.ReserveScope(1); // all", "using var scope = allocator.ReserveScope(1); // all")]
    [InlineData("int buffer = 1; _ = allocator.Rent<byte>(buffer, 1);", "int buffer = 1; using var buffer2 = allocator.Rent<byte>(buffer, 1);")]
    [InlineData("_ = image.View(0, 0, 1, 1);", "using var view = image.View(0, 0, 1, 1);")]
    public Task What_is_dropped_gets_a_name(string statement, string expected) => Fixes(In(statement), In(expected));

    [Theory]
    [InlineData(
        "allocator.Rent<byte>(1, 1); _ = allocator.Rent<byte>(2, 2); image.View(0, 0, 1, 1);",
        "using var buffer = allocator.Rent<byte>(1, 1); using var buffer2 = allocator.Rent<byte>(2, 2); using var view = image.View(0, 0, 1, 1);")]
    [InlineData(
        "allocator.Rent<byte>(1, 1); { allocator.Rent<byte>(2, 2); { allocator.Rent<byte>(3, 3); } } Action later = () => { allocator.Rent<byte>(4, 4); };",
        "using var buffer = allocator.Rent<byte>(1, 1); { using var buffer2 = allocator.Rent<byte>(2, 2); { using var buffer3 = allocator.Rent<byte>(3, 3); } } Action later = () => { using var buffer4 = allocator.Rent<byte>(4, 4); };")]
    public Task What_is_dropped_at_once_gets_names_of_its_own(string statements, string expected) => Fixes(In(statements), In(expected));

    [Fact]
    public Task All_statements_of_a_program_see_what_one_declares() => FixesFile(
        Compiling.WithUsings("var allocator = PixelAllocator.Shared;\n{\n    allocator.Rent<byte>(1, 1);\n}\n\nallocator.Rent<byte>(2, 2);\n_ = allocator.Rent<byte>(3, 3);\n"),
        Compiling.WithUsings("var allocator = PixelAllocator.Shared;\n{\n    using var buffer = allocator.Rent<byte>(1, 1);\n}\n\nusing var buffer2 = allocator.Rent<byte>(2, 2);\nusing var buffer3 = allocator.Rent<byte>(3, 3);\n"));

    [Fact]
    public Task Conditions_within_each_other_get_a_block_each() => Fixes(
        Lines("if (allocator.TryRent<byte>(1, 1, out var a))\n{\n    if (allocator.TryRent<byte>(1, 1, out var b))\n    {\n        b.Fill(1);\n    }\n\n    allocator.Rent<byte>(1, 1);\n}"),
        Lines("""
            if (allocator.TryRent<byte>(1, 1, out var a))
            {
                using (a)
                {
                    if (allocator.TryRent<byte>(1, 1, out var b))
                    {
                        using (b)
                        {
                            b.Fill(1);
                        }
                    }

                    using var buffer = allocator.Rent<byte>(1, 1);
                }
            }
            """));

    [Theory]
    [InlineData(
        "if (allocator.TryRent<byte>(1, 1, out var b))\n{\n    b.Fill(1);\n    b.Fill(2); // two\n}",
        "if (allocator.TryRent<byte>(1, 1, out var b))\n{\n    using (b)\n    {\n        b.Fill(1);\n        b.Fill(2); // two\n    }\n}")]
    [InlineData(
        "if (allocator.TryLease<byte>(1, 1, out var l))\n    l.Fill(1);\nelse\n    Console.WriteLine(1);",
        "if (allocator.TryLease<byte>(1, 1, out var l))\n{\n    using (l)\n    {\n        l.Fill(1);\n    }\n}\nelse\n    Console.WriteLine(1);")]
    [InlineData(
        "if (!allocator.TryRent<byte>(1, 1, out PixelBuffer<byte>? b))\n{\n    return;\n}\n\nb.Fill(1);\nConsole.WriteLine(b.Width);",
        "if (!allocator.TryRent<byte>(1, 1, out PixelBuffer<byte>? b))\n{\n    return;\n}\n\nusing (b)\n{\n    b.Fill(1);\n    Console.WriteLine(b.Width);\n}")]
    [InlineData(
        "if (!allocator.TryRent<byte>(1, 1, out var b))\n    throw new Exception();\nb.Fill(1);",
        "if (!allocator.TryRent<byte>(1, 1, out var b))\n    throw new Exception();\nusing (b)\n{\n    b.Fill(1);\n}")]
    public Task What_a_condition_rents_is_disposed_where_it_holds(string statements, string expected) => Fixes(Lines(statements), Lines(expected));

    [Fact]
    public Task Several_declared_together_get_one_using() => Fixes(
        In("PixelBuffer<byte> a = allocator.Rent<byte>(1, 1), b = image.View(0, 0, 1, 1); a.Fill(1);"),
        In("using PixelBuffer<byte> a = allocator.Rent<byte>(1, 1), b = image.View(0, 0, 1, 1); a.Fill(1);"));

    [Fact]
    public Task Older_language_versions_have_no_such_using() => OffersNothing(
        "static void M(PixelAllocator allocator) { var a = allocator.Rent<byte>(1, 1); a.Fill(1); _ = allocator.Rent<byte>(1, 1); }",
        languageVersion: LanguageVersion.CSharp7_3);

    private static string Awaiting(string statements) =>
        $"{Later}\nstatic async Task<object> M(PixelAllocator allocator) {{ await Task.Yield(); {statements}{(statements.Contains("return", StringComparison.Ordinal) ? string.Empty : " return 1;")} }}";

    private static string In(string statements) =>
        $"static async Task M(PixelAllocator allocator, PixelBuffer<byte> image)\n{{\n    await Task.Yield();\n    {statements}\n}}";

    private static string Lines(string statements) =>
        $"    static void M(PixelAllocator allocator)\n    {{\n        {statements.Replace("\n", "\n        ", StringComparison.Ordinal).Replace("        \n", "\n", StringComparison.Ordinal)}\n    }}";
}
