namespace PixelPool.Analyzers.Tests;

public sealed class EscapingPointerTests() : AnalyzerTests(new EscapingPointerAnalyzer())
{
    [Theory]
    [InlineData("byte* p; using (PinnedPixels pin = image.Pin()) { p = (byte*)pin.Pointer; *p = 1; } *[|p|] = 2;")]
    [InlineData("byte* p = null; using (PinnedPixels pin = image.Pin()) { p = (byte*)pin.Pointer + 4; } Native([|p|]);")]
    [InlineData("nint p = 0; using (PinnedPixels pin = image.Pin()) { p = (nint)pin.Pointer; } Console.WriteLine([|p|]);")]
    [InlineData("PinnedPixels pin = image.Pin(); byte* p = (byte*)pin.Pointer; pin.Dispose(); *[|p|] = 1;")]
    [InlineData("PinnedPixels pin = image.Pin(); byte* p = (byte*)pin.Pointer; try { *p = 1; } finally { pin.Dispose(); } *[|p|] = 1;")]
    [InlineData("using PinnedPixels pin = image.Pin(); s_kept = [|(nint)pin.Pointer|];")]
    [InlineData("using PinnedPixels pin = image.Pin(); byte* p = (byte*)pin.Pointer; byte* q = p + 1; s_kept = [|(nint)q|];")]
    public Task Pointer_is_kept_longer_than_the_pin(string statements) => Finds($"static nint s_kept;\nstatic unsafe void Native(byte* p) {{ }}\n{Method(statements)}");

    [Theory]
    [InlineData("using PinnedPixels pin = image.Pin(); byte* p = (byte*)pin.Pointer; *p = 1; Native(p);")]
    [InlineData("PinnedPixels pin = image.Pin(); byte* p = (byte*)pin.Pointer; *p = 1; pin.Dispose();")]
    [InlineData("byte* p; using (PinnedPixels pin = image.Pin()) { p = (byte*)pin.Pointer; *p = 1; } using PinnedPixels again = image.Pin(); p = (byte*)again.Pointer; *p = 2;")]
    [InlineData("while (condition) { using PinnedPixels pin = image.Pin(); byte* p = (byte*)pin.Pointer; *p = 1; }")]
    [InlineData("using PinnedPixels pin = image.Pin(); Raw raw = default; raw.Data = pin.Pointer; Native((byte*)raw.Data);")]
    [InlineData("using PinnedPixels pin = image.Pin(); Raw raw = new() { Data = pin.Pointer }; Native((byte*)raw.Data);")]
    [InlineData("using PinnedPixels pin = image.Pin(); s_kept = (nint)pin.Pointer; try { Native(null); } finally { s_kept = 0; }")]
    [InlineData("using PinnedPixels pin = image.Pin(); s_kept = (nint)pin.Pointer; Native(null); ref nint kept = ref s_kept; kept = 0;")]
    [InlineData("using PinnedPixels pin = image.Pin(); s_kept = (nint)pin.Pointer; Native(null); Interlocked.Exchange(ref s_kept, 0);")]
    [InlineData("using PinnedPixels pin = image.Pin(); s_kept = (nint)pin.Pointer; Native(null); (s_kept, s_pin) = (0, null);")]
    [InlineData("using PinnedPixels pin = image.Pin(); byte* p = (byte*)pin.Pointer; s_kept = (nint)(p + pin.Stride - p); s_kept = pin.Stride;")]
    [InlineData("var pin = image.Pin(); s_pin = pin; s_kept = (nint)pin.Pointer;")]
    [InlineData("PinnedPixels pin = image.Pin(); byte* p = (byte*)pin.Pointer; if (condition) { pin.Dispose(); return; } *p = 1; pin.Dispose();")]
    [InlineData("PinnedPixels pin = image.Pin(); void* p = pin.Pointer; pin.Dispose(); Console.WriteLine(p == null);")]
    [InlineData("PinnedPixels pin = image.Pin(); nint p = pin.Address; pin.Dispose(); (p, int n) = (1, 2); Console.WriteLine(p);")]
    [InlineData("PinnedPixels pin = image.Pin(); nint p = pin.Address; pin.Dispose(); Other(out p); Console.WriteLine(p);")]
    public Task Pointer_is_used_while_the_pin_holds(string statements) => Finds($$"""
        unsafe struct Raw { public void* Data; }
        static nint s_kept;
        static PinnedPixels? s_pin;
        static unsafe void Native(byte* p) { }
        static void Other(out nint p) => p = 0;
        {{Method(statements)}}
        """);

    [Fact]
    public Task Pointer_is_returned() => Finds("""
        static unsafe byte* A(PixelBuffer<byte> image) { using PinnedPixels pin = image.Pin(); return [|(byte*)pin.Pointer|]; }
        static unsafe nint B(PixelBuffer<byte> image) { using (PinnedPixels pin = image.Pin()) { byte* p = (byte*)pin.Pointer; return [|(nint)p|]; } }
        static unsafe void C(PixelBuffer<byte> image, out nint address) { using PinnedPixels pin = image.Pin(); address = [|(nint)pin.Pointer|]; }
        static unsafe byte D(PixelBuffer<byte> image) { using PinnedPixels pin = image.Pin(); byte* p = (byte*)pin.Pointer; return *p; }
        static unsafe (PinnedPixels, nint) E(PixelBuffer<byte> image) { PinnedPixels pin = image.Pin(); return (pin, (nint)pin.Pointer); }
        """);

    [Fact]
    public Task What_a_conversion_makes_may_be_no_pointer() => Finds("""
        static bool A(PixelBuffer<byte> image) { using PinnedPixels pin = image.Pin(); return (Aligned)pin.Address; }
        readonly record struct Aligned(bool Is)
        {
            public static implicit operator Aligned(nint address) => new(address % 16 == 0);
            public static implicit operator bool(Aligned aligned) => aligned.Is;
        }
        """);

    [Fact]
    public Task Address_is_a_pointer() => Finds("""
        static nint A(PixelBuffer<byte> image) { using PinnedPixels pin = image.Pin(); return [|pin.Address|]; }
        static void B(PixelBuffer<byte> image) { PinnedPixels pin = image.Pin(); nint address = pin.Address; pin.Dispose(); Console.WriteLine([|address|]); }
        """);

    [Fact]
    public Task Address_of_a_pin_that_native_code_keeps_is_valid() => Finds("""
        static nint A(PixelBuffer<byte> image) { using PinnedPixels pin = image.Pin(); nint address = pin.Address; NativePixels given = pin.GiveToNative(); return address; }
        """);
}
