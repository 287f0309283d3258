namespace PixelPool.Analyzers.Tests;

public sealed class HandedOutTests() : AnalyzerTests(new HandedOutAnalyzer())
{
    [Fact]
    public Task Caller_gets_a_disposed_object() => Finds("""
        static PixelBuffer<byte> A(PixelAllocator allocator) { using PixelBuffer<byte> b = allocator.Rent<byte>(1, 1); b.Fill(1); return [|b|]; }
        static PixelBuffer<byte> B(PixelAllocator allocator) { using (var b = allocator.Rent<byte>(1, 1)) { return [|b|]; } }
        static IDisposable C(PixelBuffer<byte> image) { using var v = image.View(0, 0, 1, 1); return (IDisposable)[|v|]; }
        static async Task<PixelBuffer<byte>> D(PixelAllocator allocator) { using var b = await allocator.RentAsync<byte>(1, 1); return [|b|]; }
        static PixelLease<byte> E(PixelAllocator allocator) { using var l = allocator.Lease<byte>(1, 1); return [|l|]; }
        static (PinnedPixels, nint) F(PixelBuffer<byte> image) { using var p = image.Pin(); return ([|p|], p.Address); }
        static Stream G(PixelAllocator allocator) { using var s = new PixelPoolStream(allocator); s.WriteByte(1); return [|s|]; }
        static RentScope H(PixelAllocator allocator) { using var s = allocator.CreateScope(1); return [|s|]; }
        static IMemoryOwner<byte> I(PixelAllocator allocator) { using var o = allocator.Allocate<byte>(1); return [|o|]; }
        static PixelBuffer<byte> J(PixelAllocator allocator, PixelBuffer<byte> other, bool own) { using var b = allocator.Rent<byte>(1, 1); return own ? [|b|] : other; }
        static void K(PixelAllocator allocator, out PixelBuffer<byte> result) { using var b = allocator.Rent<byte>(1, 1); result = [|b|]; }
        static PixelBuffer<byte> L(PixelAllocator allocator) { var b = allocator.Rent<byte>(1, 1); using (b) { b.Fill(1); return [|b|]; } }
        static PixelBuffer<byte> M() { using var b = Load(); return [|b|]; }
        static Func<PixelAllocator, PixelBuffer<byte>> N() => allocator => { using var b = allocator.Rent<byte>(1, 1); return [|b|]; };
        static PixelBuffer<byte> O(PixelAllocator allocator) { return Local(); PixelBuffer<byte> Local() { using var b = allocator.Rent<byte>(1, 1); return [|b|]; } }
        static PixelBuffer<byte> P(PixelAllocator allocator) { using PixelBuffer<byte> a = allocator.Rent<byte>(1, 1), b = allocator.Rent<byte>(1, 1); return [|b|]; }
        static async Task<Stream> Q(PixelAllocator allocator) { await using var s = new PixelPoolStream(allocator); return [|s|]; }
        static PixelBuffer<byte> R(PixelAllocator allocator, int n) { using var b = allocator.Rent<byte>(1, 1); return n switch { 0 => [|b|], _ => b.Clone() }; }
        static PlanarImage S(PixelAllocator allocator) { using var p = allocator.RentPlanar(PlanarLayout.Yuv420(2, 2)); return [|p|]; }
        static PlanarLease T(PixelAllocator allocator) { using PlanarLease p = Planes(allocator); return [|p|]; }
        static PixelBuffer<byte> Load() => PixelAllocator.Shared.Rent<byte>(1, 1);
        static PlanarLease Planes(PixelAllocator allocator) => allocator.LeasePlanar(PlanarLayout.Yuv420(2, 2));
        """);

    [Theory]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); _last = [|b|];")]
    [InlineData("using (var b = allocator.Rent<byte>(1, 1)) { this._last = [|b|]; }")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); _last?.Dispose(); _last = [|b|];")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); Last = [|b|];")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); s_last = [|b|];")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); Shown = [|b|];")]
    [InlineData("using var p = image.Pin(); _pin = [|p|];")]
    [InlineData("using var l = allocator.Lease<byte>(1, 1); _lease = [|l|];")]
    [InlineData("Action work = () => { using var b = allocator.Rent<byte>(1, 1); _last = [|b|]; };")]
    public Task Field_holds_a_disposed_object(string statements) => Finds($$"""
        PixelBuffer<byte>? _last;
        static PixelBuffer<byte>? s_last;
        PinnedPixels? _pin;
        PixelLease<byte> _lease;
        PixelBuffer<byte>? Last { get; set; }
        public PixelBuffer<byte>? Shown { get; private set; }
        void M(PixelAllocator allocator, PixelBuffer<byte> image) { {{statements}} }
        """);

    [Fact]
    public Task What_is_returned_is_something_else() => Finds("""
        static PixelBuffer<byte> A(PixelAllocator allocator) { var b = allocator.Rent<byte>(1, 1); return b; }
        static PixelBuffer<byte> B(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return b.Clone(); }
        static PixelBuffer<byte> C(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return b.View(0, 0, 1, 1); }
        static PinnedPixels D(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return b.Pin(); }
        static int E(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return b.Width; }
        static (int, byte) F(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return (b.Width, b[0, 0]); }
        static bool G(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return b != null && b is not null; }
        static PixelBuffer<byte> H(PixelAllocator allocator) { PixelBuffer<byte> other; using (var b = allocator.Rent<byte>(1, 1)) { other = b.Clone(); } return other; }
        static PixelBuffer<byte> I(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return Brighter(b); }
        static PixelBuffer<byte> Brighter(PixelBuffer<byte> b) => b.Clone();
        """);

    [Fact]
    public Task What_a_conversion_makes_is_something_else() => Finds(
        """
        static Size s_size;
        static Size A(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return b; }
        static Size B(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return (Size)b; }
        static object C(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return (Size)b; }
        static void D(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); s_size = b; }
        static Shared E(PixelAllocator allocator) { using Shared b = allocator.Rent<byte>(1, 1); return b; }
        static IDisposable F(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return (IDisposable)[|b|]; }
        """,
        """
        public readonly record struct Size(int Width, int Height) { public static implicit operator Size(PixelBuffer<byte> b) => new(b.Width, b.Height); }
        public sealed class Shared : IDisposable { public static implicit operator Shared(PixelBuffer<byte> b) => new(); public void Dispose() { } }
        """);

    [Fact]
    public Task Nothing_is_no_disposed_object() => Finds("""
        static PixelBuffer<byte>? s_next;
        static PixelBuffer<byte>? A() { using var b = s_next; if (b is null) { return b; } b.Fill(1); return null; }
        static PixelBuffer<byte>? B() { using var b = s_next; if (b != null) { b.Fill(1); return [|b|]; } else { return b; } }
        static PixelBuffer<byte>? C() { using var b = s_next; return b == null ? b : [|b|]; }
        static PixelBuffer<byte>? D() { using var b = s_next; if (!(b is { })) { return b; } return b is not null ? [|b|] : b; }
        static PixelBuffer<byte>? E(bool other) { using var b = s_next; if (b is null || other) { return [|b|]; } return b?.Clone(); }
        """);

    [Fact]
    public Task It_lives_as_long_as_it_is_used() => Finds("""
        static IEnumerable<PixelBuffer<byte>> A(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); yield return b; }
        static async IAsyncEnumerable<PixelBuffer<byte>> B(PixelAllocator allocator) { using var b = await allocator.RentAsync<byte>(1, 1); yield return b; }
        static int C(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return new[] { 1 }.Select(x => b).Select(y => y.Width).Sum(); }
        static int D(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); return Get().Width; PixelBuffer<byte> Get() => b; }
        static int E(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); Func<PixelBuffer<byte>> get = () => { return b; }; return get().Width; }
        static PixelLease<byte> F(PixelBuffer<byte> image) { using var l = image.AsLease(); return l; }
        static PixelLease<byte> G(PixelLease<byte> lease) { using var l = lease.View(0, 0, 1, 1); return l; }
        static PixelLease<byte> H(Func<PixelLease<byte>> get) { using var l = get(); return l; }
        static PixelBuffer<byte> I(PixelAllocator allocator) { var b = allocator.Rent<byte>(1, 1); using (b) { b.Fill(1); } return b; }
        static PixelBuffer<byte> J(PixelAllocator allocator) { var b = allocator.Rent<byte>(1, 1); using (b) { b = allocator.Rent<byte>(1, 1); return b; } }
        static IMemoryOwner<byte> K() { using var o = MemoryPool<byte>.Shared.Rent(1); return o; }
        static object L() { using var s = new MemoryStream(); return s; }
        static void M(PixelAllocator allocator, ref PixelBuffer<byte>? slot) { using var b = allocator.Rent<byte>(1, 1); slot = b; b.Fill(1); ref var same = ref slot; same = null; }
        static PinnedPixels N(PixelBuffer<byte> image, out NativePixels given) { using var p = image.Pin(); given = p.GiveToNative(); return p; }
        """);

    [Theory]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); _current = b; try { Work(); } finally { _current = null; }")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); (_current, _count) = (b, 1); Work();")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); _reset = b; Work();")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); _exchanged = b; Work(); Interlocked.Exchange(ref _exchanged, null);")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); _cleared = b; Work(); ref var slot = ref _cleared; slot = null;")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); _slot = b; Work(); Slot = null;")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); var frame = new Frame(); frame.Image = b; Console.WriteLine(frame);")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); var frame = new Frame { Image = b }; Console.WriteLine(frame);")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); Copied = b;")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); Kept = b;")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); Open = b; Work(); Listener?.Invoke(this);")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); Settable = b; Work(); Listener?.Invoke(this);")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); Inner.Stored = b; Inner.Forget();")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); PixelBuffer<byte> other; other = b; other.Fill(1);")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); _all.Add(b); Work(); _all.Clear();")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); _some[0] = b; Work(); _some[0] = null;")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); _width = b.Width;")]
    [InlineData("var b = allocator.Rent<byte>(1, 1); _kept = b;")]
    [InlineData("using var s = new RentScope(allocator); _kept = s.Rent<byte>(1, 1); Work();")]
    public Task Field_holds_it_for_a_while_or_something_else(string statements) => Finds($$"""
        PixelBuffer<byte>? _current, _reset, _exchanged, _cleared, _slot, _kept;
        ref PixelBuffer<byte>? Slot => ref _slot;
        readonly List<PixelBuffer<byte>> _all = [];
        readonly PixelBuffer<byte>?[] _some = [null];
        int _count, _width;
        PixelBuffer<byte> Copied { get => _all[0]; set => _all[0] = value.Clone(); }
        PixelBuffer<byte>? Kept { get; set => field = value?.Clone(); }
        internal PixelBuffer<byte>? Open;
        public PixelBuffer<byte>? Settable { get; set; }
        public Action<Sample>? Listener;
        class Inner { public static PixelBuffer<byte>? Stored; public static void Forget() => Stored = null; }
        class Frame { public PixelBuffer<byte>? Image; }
        void Work() => Reset();
        void Reset() => _reset = null;
        void M(PixelAllocator allocator) { {{statements}} Console.WriteLine(_count + _width); }
        """);

    [Fact]
    public Task Partial_property_may_store_something_else() => Finds(string.Empty, """
        public partial class Frame
        {
            private partial PixelBuffer<byte>? Copied { get; set; }
            public void M(PixelAllocator allocator) { using var b = allocator.Rent<byte>(1, 1); Copied = b; }
        }

        public partial class Frame { private partial PixelBuffer<byte>? Copied { get => field; set => field = value?.Clone(); } }
        """);
}
