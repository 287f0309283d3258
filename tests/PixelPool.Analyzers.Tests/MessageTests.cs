using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PixelPool.Analyzers.Tests;

/// <summary>What users read.</summary>
public sealed class MessageTests
{
    [Theory]
    [InlineData("var s = new PixelPoolStream(allocator); s.WriteByte(1);", "Dispose this stream: until a finalizer finds it, it holds memory")]
    [InlineData("var v = image.View(0, 0, 1, 1); v.Fill(1);", "Dispose this view: until a finalizer finds it, it holds memory")]
    [InlineData("var c = allocator.ChargeExternal(1); Console.WriteLine(c.Bytes);", "Dispose this charge: until a finalizer finds it, the budget pays for it")]
    [InlineData("var t = allocator.TrackLeaks(); t.AssertNone();", "Dispose this tracker: until then every rent records its stack")]
    [InlineData(
        "var b = allocator.Rent<byte>(1, 1); if (condition) { return; } b.Dispose();",
        "Not every path disposes the buffer that 'Rent' returned: until a finalizer finds it, it holds memory")]
    [InlineData("image.Dispose(); image.Fill(1);", "'image' is already disposed here: 'Fill' throws ObjectDisposedException")]
    [InlineData("using var l = allocator.Lease<byte>(1, 1); l.Dispose();", "The lease 'l' is disposed twice: the allocator counts and reports the second Dispose")]
    [InlineData(
        "nint p = 0; using (PinnedPixels pin = image.Pin()) { p = pin.Address; } Console.WriteLine(p);",
        "This pointer is used after its pin 'pin' was disposed; the memory may already be reused")]
    [InlineData("using PinnedPixels pin = image.Pin(); s_kept = pin.Address;", "This pointer outlives its pin 'pin', which is disposed at the end of its block; the memory may be reused then")]
    [InlineData(
        "image.ProcessPixelRows(static a => { unsafe { fixed (byte* p = a.GetRowSpan(0)) { s_kept = (nint)p; } } });",
        "This address of pixels leaves the delegate: the memory is only valid until the delegate returns")]
    [InlineData("byte v = 1; image.ProcessPixelRows(a => a.GetRowSpan(0).Fill(v));", "This delegate captures 'v', so every call allocates: pass it as the state of a static delegate")]
    [InlineData(
        "Func<Task> f = async () => { await Task.Yield(); using var b = allocator.Rent<byte>(1, 1); };",
        "When the budget is exhausted, 'Rent' throws or blocks its thread; 'RentAsync' waits without one")]
    [InlineData("using var b = allocator.Rent<byte>(1, 1); s_last = b;", "'b' is disposed at the end of its block: 's_last' then holds a disposed object")]
    [InlineData(
        "Func<PixelBuffer<byte>> f = static () => { using var b = PixelAllocator.Shared.Rent<byte>(1, 1); return b; };",
        "'b' is disposed at the end of its block: the caller gets a disposed object")]
    [InlineData("_field = image.Pin();", "Nothing in 'Sample' disposes '_field': dispose this pin in a Dispose method of 'Sample'")]
    [InlineData("image.Pin().GiveToNative();", "These pixels stay rented forever: they can only be released with the context that 'GiveToNative' returns")]
    public async Task Says_what_is_wrong_and_what_to_do(string statements, string message)
    {
        string file = Compiling.File($$"""
            static nint s_kept;
            static PixelBuffer<byte>? s_last;
            PinnedPixels? _field;
            void M(PixelAllocator allocator, PixelBuffer<byte> image, bool condition) { {{statements}} }
            """);
        ImmutableArray<Diagnostic> found = await Compiling.AnalyzeAsync(file, RulePageTests.Analyzers);
        Assert.Equal(message, Assert.Single(found).GetMessage());
    }
}
