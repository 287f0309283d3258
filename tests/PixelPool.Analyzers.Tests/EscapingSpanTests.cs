namespace PixelPool.Analyzers.Tests;

public sealed class EscapingSpanTests() : AnalyzerTests(new EscapingSpanAnalyzer())
{
    [Theory]
    [InlineData("byte* kept = null; image.ProcessPixelRows(a => { fixed (byte* p = a.GetRowSpan(0)) { kept = [|p|]; } });")]
    [InlineData("byte* kept = null; image.ProcessPixelRows(a => { Span<byte> row = a.GetRowSpan(0); fixed (byte* p = row) { kept = [|p + 1|]; } });")]
    [InlineData("byte* kept = null; image.ProcessPixelRows(a => { fixed (byte* p = &a.GetRowSpan(0)[0]) { kept = [|p|]; } });")]
    [InlineData("nint kept = 0; image.ProcessPixelRows(a => { foreach (Span<byte> row in a) { fixed (byte* p = row) { kept = [|(nint)p|]; } } });")]
    [InlineData("void* kept = null; image.ProcessPixelRows(a => kept = [|Unsafe.AsPointer(ref a.GetRowSpan(0)[0])|]);")]
    [InlineData("void* kept = null; image.ProcessPixelRows(a => kept = [|Unsafe.AsPointer(ref MemoryMarshal.GetReference(a.GetRowSpan(0).Slice(1)))|]);")]
    [InlineData("void* kept = null; image.TryProcessSinglePixelSpan(pixels => { fixed (byte* p = pixels) { kept = [|p|]; } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { s_kept = [|(IntPtr)p|]; } });")]
    [InlineData("image.ProcessPixelRows(new IntPtr[1], static (a, all) => { fixed (byte* p = a.GetRowSpan(0)) { nint address = (nint)p; all[0] = [|address|]; } });")]
    [InlineData("image.ProcessPixelRows(image, static (a, b) => { fixed (byte* p = b.GetRowSpan(0)) { s_kept = [|new IntPtr(p)|]; } });")]
    [InlineData("using var l = allocator.Lease<byte>(1, 1); l.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { s_kept = [|(nint)p|]; } });")]
    [InlineData("image.ProcessPixelRowsInParallel(static a => { fixed (byte* p = a.GetRowSpan(0)) { s_kept = [|(nint)p|]; } });")]
    [InlineData("image.FilterPixelRows(image, static (a, source) => { fixed (byte* p = source.GetRowSpanClamped(-1)) { s_kept = [|(nint)p|]; } });")]
    [InlineData("image.FilterPixelRowsInParallel(image, 1, static (a, source, s) => { ReadOnlySpan<byte> row = source.GetRowSpan(0); fixed (byte* p = row) { s_kept = [|(nint)p|]; } });")]
    [InlineData("image.ProcessPixelRows([image], static (a, others) => { fixed (byte* p = others[0].GetRowSpan(0)) { s_kept = [|(nint)p|]; } });")]
    [InlineData("image.ProcessPixelRows([image], static (a, others) => { PixelAccessor<byte> b = others[0]; fixed (byte* p = b.GetRowSpan(0)) { s_kept = [|(nint)p|]; } });")]
    [InlineData("image.ProcessPixelRowsInParallel(1, static (a, s) => { fixed (byte* p = a.GetRowSpan(0)) { s_kept = [|(nint)p|]; } return s; }, static (a, b) => a);")]
    [InlineData("nint[] all = new nint[1]; image.ProcessPixelRows(a => { fixed (byte* p = a.GetRowSpan(0)) { all[0] = [|(nint)p|]; } });")]
    [InlineData("image.ProcessPixelRows(static a => { nint[] rows = s_rows; fixed (byte* p = a.GetRowSpan(0)) { rows[0] = [|(nint)p|]; } });")]
    [InlineData("image.ProcessPixelRows(static a => { nint[] rows = new nint[1]; s_rows = rows; fixed (byte* p = a.GetRowSpan(0)) { rows[0] = [|(nint)p|]; } });")]
    [InlineData("Frame frame = default; image.ProcessPixelRows(a => { fixed (byte* p = a.GetRowSpan(0)) { frame.Plane.Data = [|p|]; } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { s_frame.Plane.Data = [|p|]; } });")]
    [InlineData("image.ProcessPixelRows(new Frame[1], static (a, all) => { fixed (byte* p = a.GetRowSpan(0)) { all[0].Plane.Data = [|p|]; } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Kept().Plane.Data = [|p|]; } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { s_frame = new Frame { Plane = new Raw { Data = [|p|] } }; } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { s_frame.Plane = default(Raw) with { Data = [|p|] }; } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { var box = new Box { Plane = new Raw { Data = [|p|] } }; } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { var box = new Box { Plane = { Data = [|p|] } }; } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { s_raw->Data = [|p|]; } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Raw* raw = s_raw; raw->Data = [|p|]; } });")]
    [InlineData("Raw* raw = stackalloc Raw[1]; image.ProcessPixelRows(a => { fixed (byte* p = a.GetRowSpan(0)) { raw[0].Data = [|p|]; } });")]
    [InlineData("image.ProcessPixelRows(static a => { Span<nint> rows = s_rows; fixed (byte* p = a.GetRowSpan(0)) { rows[0] = [|(nint)p|]; } });")]
    public Task Address_leaves_the_delegate(string statements) => Finds($$"""
        unsafe struct Raw { public byte* Data; }
        struct Frame { public Raw Plane; }
        class Box { public Raw Plane; }
        static unsafe Raw* s_raw;
        static IntPtr s_kept;
        static nint[] s_rows = new nint[1];
        static Frame s_frame;
        static ref Frame Kept() => ref s_frame;
        {{Method(statements)}}
        """);

    [Fact]
    public Task Address_leaves_a_method_that_gets_an_accessor() => Finds("""
        static unsafe byte* s_kept;
        static unsafe void Keep(PixelAccessor<byte> accessor) { fixed (byte* p = accessor.GetRowSpan(0)) { s_kept = [|p|]; } }
        unsafe struct Own { byte* _kept; void Keep(PixelAccessor<byte> accessor) { fixed (byte* p = accessor.GetRowSpan(0)) { _kept = [|p|]; } } }
        """);

    [Fact]
    public Task Conversions_of_spans_lead_into_the_pixels_and_others_need_not() => Finds(
        $"static IntPtr s_kept; static bool s_aligned;\n{Method("""
            image.ProcessPixelRows(static a => { ReadOnlySpan<byte> row = a.GetRowSpan(0); fixed (byte* p = row) { s_kept = [|(IntPtr)p|]; } });
            image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { s_aligned = (Aligned)(nint)p; } });
            """)}",
        """
        public readonly record struct Aligned(bool Is)
        {
            public static implicit operator Aligned(nint address) => new(address % 16 == 0);
            public static implicit operator bool(Aligned aligned) => aligned.Is;
        }
        """);

    [Theory]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { byte* q = p; for (int x = 0; x < a.Width; x++) { *q++ = 1; } } });")]
    [InlineData("long sum = 0; image.ProcessPixelRows(a => { fixed (byte* p = a.GetRowSpan(0)) { sum += *p; sum = p[1]; } });")]
    [InlineData("long size = 0; image.ProcessPixelRows(a => { fixed (byte* p = a.GetRowSpan(0)) { byte* q = p + 4; size = q - p; } });")]
    [InlineData("byte* target = null; image.ProcessPixelRows(a => { foreach (Span<byte> row in a) { row.CopyTo(new Span<byte>(target, row.Length)); target = target + row.Length; } });")]
    [InlineData("nint other = 0; image.ProcessPixelRows(a => { byte* p = stackalloc byte[4]; other = (nint)p; });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Native(p); } });")]
    [InlineData("int width = 0; image.ProcessPixelRows(a => width = a.Width);")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Raw raw = default; raw.Data = p; Native(raw.Data); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Frame frame = default; frame.Plane.Data = p; Native(frame.Plane.Data); } });")]
    [InlineData("image.ProcessPixelRows(new Frame(), static (a, frame) => { fixed (byte* p = a.GetRowSpan(0)) { frame.Plane.Data = p; Native(frame.Plane.Data); } });")]
    [InlineData("image.ProcessPixelRows(static a => { var rows = new nint[a.Height]; fixed (byte* p = a.GetRowSpan(0)) { rows[0] = (nint)p; Native((byte*)rows[0]); } });")]
    [InlineData("image.ProcessPixelRows(static a => { Raw[] rows = new Raw[2]; fixed (byte* p = a.GetRowSpan(0)) { rows[0].Data = p; } });")]
    [InlineData("byte[] array = new byte[1]; nint own = 0; Action act = () => { fixed (byte* p = array) { own = (nint)p; } };")]
    [InlineData("image.ProcessPixelRows([image], static (a, others) => { int count = others.Count; PixelAccessor<byte> b = others[0]; fixed (byte* p = b.GetRowSpan(0)) { Native(p); } });")]
    [InlineData("nint other = 0; image.ProcessPixelRowsInParallel(1, (a, s) => { byte* p = stackalloc byte[4]; other = (nint)p; return s; }, static (a, b) => a);")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { var raw = new Raw { Data = p }; Native(raw.Data); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Raw raw; raw = new() { Data = p }; Native(raw.Data); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Native(new Raw { Data = p }.Data); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { var raw = default(Raw) with { Data = p }; Native(raw.Data); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { var frame = new Frame { Plane = new Raw { Data = p } }; Native(frame.Plane.Data); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { var frame = new Frame { Plane = { Data = p } }; Native(frame.Plane.Data); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Raw* raw = stackalloc Raw[2]; raw->Data = p; raw[1].Data = p; (*raw).Data = p; Native(raw->Data); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { byte** rows = stackalloc byte*[1]; rows[0] = p; *rows = p; Native(*rows); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Span<Raw> raw = stackalloc Raw[1]; raw[0].Data = p; raw[0] = new Raw { Data = p }; Native(raw[0].Data); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Span<nint> rows = stackalloc nint[] { 0 }; rows[0] = (nint)p; Native((byte*)rows[0]); } });")]
    [InlineData("image.ProcessPixelRows(static a => { fixed (byte* p = a.GetRowSpan(0)) { Span<nint> rows = new nint[1]; rows[0] = (nint)p; Native((byte*)rows[0]); } });")]
    public Task Address_stays_in_the_delegate_or_is_of_something_else(string statements) =>
        Finds($"unsafe struct Raw {{ public byte* Data; }}\nstruct Frame {{ public Raw Plane; }}\nstatic unsafe void Native(byte* p) {{ }}\n{Method(statements)}");
}
