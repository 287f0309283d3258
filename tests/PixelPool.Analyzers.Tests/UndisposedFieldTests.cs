namespace PixelPool.Analyzers.Tests;

public sealed class UndisposedFieldTests() : AnalyzerTests(new UndisposedFieldAnalyzer())
{
    [Theory]
    [InlineData("private readonly PixelBuffer<byte> _b = [|PixelAllocator.Shared.Rent<byte>(1, 1)|];")]
    [InlineData("private PixelBuffer<byte> B { get; } = [|PixelAllocator.Shared.Rent<byte>(1, 1)|];")]
    [InlineData("private readonly PixelBuffer<byte> _b; public Frame(PixelAllocator allocator) => _b = [|allocator.Rent<byte>(1, 1)|];")]
    [InlineData("private readonly PixelBuffer<byte> _b; public Frame(PixelAllocator allocator) { this._b = [|allocator.Rent<byte>(1, 1)|]; _b.Fill(1); }")]
    [InlineData("private PixelBuffer<byte>? _b; public void Start(PixelAllocator allocator) { _b = [|allocator.Rent<byte>(1, 1)|]; } public int Width => _b!.Width;")]
    [InlineData("private PixelBuffer<byte>? _b; public void Start(PixelAllocator allocator) { _b ??= [|allocator.Rent<byte>(1, 1)|]; }")]
    [InlineData("private PixelBuffer<byte>? _b; public async Task Start(PixelAllocator allocator) { _b = await [|allocator.RentAsync<byte>(1, 1)|]; }")]
    [InlineData("private PixelBuffer<byte>? _b; public void Turn(PixelAllocator a) { _b = [|a.Rent<byte>(1, 1)|]; _b = null; }")]
    [InlineData("private PixelBuffer<byte>? _b; public bool Start(PixelAllocator allocator) => [|allocator.TryRent<byte>(1, 1, out _b)|];")]
    [InlineData("private PixelLease<byte> _l; public void Start(PixelAllocator allocator) { _l = [|allocator.Lease<byte>(1, 1)|]; }")]
    [InlineData("private PinnedPixels? _p; public void Start(PixelBuffer<byte> image) { _p = [|image.Pin()|]; Console.WriteLine(_p.Address); }")]
    [InlineData("private readonly RentScope _s = [|new RentScope(PixelAllocator.Shared)|]; public PixelBuffer<byte> Rent() => _s.Rent<byte>(1, 1);")]
    [InlineData("private readonly RentScope _s = [|new(PixelAllocator.Shared)|];")]
    [InlineData("private readonly PixelPoolStream _s = [|new PixelPoolStream(PixelAllocator.Shared)|]; public void Write() => _s.WriteByte(1);")]
    [InlineData("private readonly IMemoryOwner<byte> _o = [|PixelAllocator.Shared.Allocate<byte>(1)|]; public Memory<byte> Bytes => _o.Memory;")]
    [InlineData("private readonly PixelBuffer<byte> _b = [|PixelAllocator.Shared.Rent<byte>(1, 1)|]; public void Use() => Fill(_b); private static void Fill(PixelBuffer<byte> b) => b.Fill(1);")]
    [InlineData("private readonly PixelBuffer<byte> _b = [|PixelAllocator.Shared.Rent<byte>(1, 1)|]; private readonly PixelBuffer<byte> _c; public Frame(PixelBuffer<byte> c) => _c = c; public void Dispose() => _c.Dispose();")]
    [InlineData("private readonly PixelBuffer<byte> _b = [|PixelAllocator.Shared.Rent<byte>(1, 1)|]; private class Inner { public int Width(Frame frame) => frame._b.Width; }")]
    [InlineData("private readonly PixelBuffer<byte> _b = [|PixelAllocator.Shared.Rent<byte>(1, 1)|]; public void Work() => _b.ProcessPixelRows(a => Console.WriteLine(_b.Width));")]
    public Task Nothing_disposes_it(string members) => Finds("", $"public class Frame\n{{\n{members}\n}}\n");

    [Theory]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public void Dispose() => _b.Dispose();")]
    [InlineData("private PixelBuffer<byte>? _b; public void Start(PixelAllocator a) => _b = a.Rent<byte>(1, 1); public void Stop() { _b?.Dispose(); _b = null; }")]
    [InlineData("private PixelBuffer<byte>? _b; public void Start(PixelAllocator a) => _b = a.Rent<byte>(1, 1); public void Stop() => ((IDisposable)_b!).Dispose();")]
    [InlineData("private PixelPoolStream? _s; public void Start(PixelAllocator a) => _s = new(a); public async Task Stop() => await _s!.DisposeAsync();")]
    [InlineData("private PixelBuffer<byte> B { get; } = PixelAllocator.Shared.Rent<byte>(1, 1); public void Close() { B.Dispose(); }")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); ~Frame() => _b.Dispose();")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public void End() { using (_b) { } }")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public Action End => () => _b.Dispose();")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public Action End => _b.Dispose;")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public PixelBuffer<byte> Image => _b;")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public void End() => Free(_b); private static void Free(PixelBuffer<byte> b) => b.Dispose();")]
    [InlineData("private PixelBuffer<byte>? _b = PixelAllocator.Shared.Rent<byte>(1, 1); public void End() => Interlocked.Exchange(ref _b, null)?.Dispose();")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public IEnumerable<IDisposable> All => [_b];")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public void End() { foreach (var one in new IDisposable[] { _b }) { one.Dispose(); } }")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public void End() { if (_b is { } b) { b.Dispose(); } }")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); private class Inner { public void End(Frame frame) => frame._b.Dispose(); }")]
    [InlineData("private readonly List<IDisposable> _all = []; private readonly PixelBuffer<byte> _b; public Frame(PixelAllocator a) { _b = a.Rent<byte>(1, 1); _all.Add(_b); }")]
    [InlineData("private readonly RentScope _s; private readonly PixelBuffer<byte> _b; public Frame(RentScope s) { _s = s; _b = _s.Rent<byte>(1, 1); }")]
    [InlineData("private readonly PixelBuffer<byte> _b; public Frame(PixelBuffer<byte> given) => _b = given;")]
    [InlineData("private readonly PixelBuffer<byte> _b = Load(); private static PixelBuffer<byte> Load() => PixelAllocator.Shared.Rent<byte>(1, 1);")]
    [InlineData("private readonly PixelBuffer<byte> _b; public Frame(bool own, PixelBuffer<byte> given) => _b = own ? PixelAllocator.Shared.Rent<byte>(1, 1) : given;")]
    [InlineData("private static readonly PixelBuffer<byte> s_b = PixelAllocator.Shared.Rent<byte>(1, 1); public static int Width => s_b.Width;")]
    [InlineData("public readonly PixelBuffer<byte> Image = PixelAllocator.Shared.Rent<byte>(1, 1);")]
    [InlineData("protected PixelBuffer<byte> Image { get; } = PixelAllocator.Shared.Rent<byte>(1, 1);")]
    [InlineData("internal PixelBuffer<byte> Image { get; private set; } = PixelAllocator.Shared.Rent<byte>(1, 1);")]
    [InlineData("private readonly PixelAllocator _a = PixelAllocator.Create();")]
    [InlineData("private readonly MemoryStream _s = new();")]
    [InlineData("private PixelBuffer<byte>? _b; public void Swap(ref PixelBuffer<byte>? other) { _b = PixelAllocator.Shared.Rent<byte>(1, 1); (_b, other) = (other, _b); }")]
    [InlineData("private PixelBuffer<byte>? _b; public PixelBuffer<byte> Get(PixelAllocator a) => _b ??= a.Rent<byte>(1, 1);")]
    [InlineData("private PixelBuffer<byte>? _b; public PixelBuffer<byte> Get(PixelAllocator a) => _b = a.Rent<byte>(1, 1);")]
    [InlineData("private PinnedPixels? _p; public NativePixels Give(PixelBuffer<byte> image) { _p = image.Pin(); return _p.GiveToNative(); }")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public override bool Equals(object? other) => other is Frame { _b: var b } && b.Width == 1; public override int GetHashCode() => 0;")]
    [InlineData("private PixelBuffer<byte>? B { get => field; set { field?.Dispose(); field = value; } } public void Set(PixelAllocator a) { B = a.Rent<byte>(1, 1); } public void End() { B = null; }")]
    [InlineData("private PixelBuffer<byte>? B { get; set { field?.Dispose(); field = value; } } public void Set(PixelAllocator a) { B = a.Rent<byte>(1, 1); }")]
    [InlineData("private PixelBuffer<byte> B { get => field; } = PixelAllocator.Shared.Rent<byte>(1, 1);")]
    [InlineData("private PixelBuffer<byte> B => field ??= PixelAllocator.Shared.Rent<byte>(1, 1);")]
    public Task Something_disposes_it_or_may(string members) => Finds("", $"public class Frame\n{{\n{members}\n}}\n");

    [Fact]
    public Task Extension_may_dispose_it_even_if_it_is_not_called_on_null() => Finds("", """
        public class Frame : IDisposable
        {
            private PixelBuffer<byte>? _a, _b;
            public void Start(PixelAllocator allocator) { _a = allocator.Rent<byte>(1, 1); _b = [|allocator.Rent<byte>(1, 1)|]; }
            public void Dispose() { _a?.DisposeQuietly(); _b?.Look(); }
        }

        public static class Extensions
        {
            public static void DisposeQuietly(this IDisposable owner) { try { owner.Dispose(); } catch { } }
            public static void Look(this PixelBuffer<byte> image) => image.Fill(1);
        }
        """);

    [Fact]
    public Task Conversion_to_another_type_may_keep_it() => Finds("", """
        public class Frame
        {
            private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1);
            public void Dispose() => ((Owner)_b).Free();
            private class Owner { private IDisposable? _owned; public void Free() => _owned?.Dispose(); public static implicit operator Owner(PixelBuffer<byte> b) => new() { _owned = b }; }
        }
        """);

    [Theory]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public void Dispose() => _b.Finish();")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public void Dispose() => _b?.Finish();")]
    [InlineData("private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); public bool Dispose() => _b.Ended;")]
    public Task Extension_block_may_dispose_it(string members) => Finds("", $$"""
        public class Frame
        {
            {{members}}
        }

        public static class Extensions
        {
            extension(PixelBuffer<byte> image)
            {
                public bool Ended { get { image.Dispose(); return true; } }
                public void Finish() => image.Dispose();
            }
        }
        """);

    [Fact]
    public Task All_parts_of_a_type_count() => Finds("", """
        public partial class Whole { private readonly PixelBuffer<byte> _b = PixelAllocator.Shared.Rent<byte>(1, 1); }
        public partial class Whole { public void End() => _b.Dispose(); }
        public partial class Broken { private readonly PixelBuffer<byte> _b = [|PixelAllocator.Shared.Rent<byte>(1, 1)|]; }
        public partial class Broken { public int Width => _b.Width; }
        public struct Value { private PixelLease<byte> _l; public void Start(PixelAllocator a) => _l = [|a.Lease<byte>(1, 1)|]; }
        public ref struct Short { private PixelLease<byte> _l; public Short(PixelAllocator a) => _l = a.Lease<byte>(1, 1); public void Dispose() => _l.Dispose(); }
        public record Result(int Width) { private readonly PixelBuffer<byte> _b = [|PixelAllocator.Shared.Rent<byte>(1, 1)|]; public byte First => _b[0, 0]; }
        """);
}
