namespace PixelPool.Analyzers.Tests;

public sealed class DroppedNativePixelsTests() : AnalyzerTests(new DroppedNativePixelsAnalyzer())
{
    [Theory]
    [InlineData("[|image.Pin().GiveToNative()|];")]
    [InlineData("var pin = image.Pin(); [|pin.GiveToNative()|];")]
    [InlineData("using var pin = image.Pin(); Native(pin.Address); [|pin.GiveToNative()|];")]
    [InlineData("_ = [|image.Pin().GiveToNative()|];")]
    [InlineData("Native([|image.Pin().GiveToNative()|].Address);")]
    [InlineData("PinnedPixels? pin = image.Pin(); pin?[|.GiveToNative()|];")]
    [InlineData("image.Pin()?[|.GiveToNative()|].ToString();")]
    public Task Nobody_can_release_it(string statements) => Finds($"static void Native(nint address) {{ }}\n{Method(statements)}");

    [Theory]
    [InlineData("NativePixels given = image.Pin().GiveToNative(); Native(given.Address, given.Context);")]
    [InlineData("NativePixels given = image.Pin().GiveToNative(); given.Release();")]
    [InlineData("image.Pin().GiveToNative().Release();")]
    [InlineData("Native(image.Pin().Address, image.Pin().GiveToNative().Context);")]
    [InlineData("Native(image.Pin().GiveToNative());")]
    [InlineData("s_given = image.Pin().GiveToNative();")]
    [InlineData("s_all.Add(image.Pin().GiveToNative());")]
    [InlineData("using var pin = image.Pin(); Native(pin.Address, 0);")]
    [InlineData("new Other().GiveToNative();")]
    [InlineData("Throws(() => image.Pin().GiveToNative());")]
    [InlineData("Throws(() => _ = image.Pin().GiveToNative());")]
    public Task Somebody_can(string statements) => Finds($$"""
        static NativePixels s_given;
        static readonly List<NativePixels> s_all = [];
        static void Native(nint address, nint context) { }
        static void Native(NativePixels given) { }
        static void Throws(Action action) { }
        class Other { public int GiveToNative() => 1; }
        {{Method(statements)}}
        """);

    [Fact]
    public Task Extension_block_gets_all_of_it() => Finds(
        Method("""
            image.Pin().GiveToNative().SendTo(static (address, context) => { });
            Console.WriteLine(image.Pin().GiveToNative().Handle);
            PinnedPixels? pin = image.Pin(); pin?.GiveToNative().SendTo(static (address, context) => { });
            Console.WriteLine([|image.Pin().GiveToNative()|].ToString());
            """),
        """
        public static class Extensions
        {
            extension(NativePixels given)
            {
                public nint Handle => given.Context;
                public void SendTo(Action<nint, nint> library) => library(given.Address, given.Context);
            }
        }
        """);
}
