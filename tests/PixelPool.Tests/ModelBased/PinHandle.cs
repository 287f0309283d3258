namespace PixelPool.Tests.ModelBased;

/// <summary>A pin of an image or of a view.</summary>
internal sealed unsafe class PinHandle<TPixel>(PinnedPixels pin, RentedMemory memory, int firstRow) : Handle(memory, firstRow)
    where TPixel : unmanaged
{
    public override bool IsWhole => false;

    public override void Fill()
    {
        for (int y = 0; y < pin.Height; y++)
        {
            RowAt(y).Fill(ByteOf(y));
        }
    }

    public override void AssertContent()
    {
        for (int y = 0; y < pin.Height; y++)
        {
            AssertRow(RowAt(y), y);
        }
    }

    public override void AssertClean()
    {
        for (int y = 0; y < pin.Height; y++)
        {
            AssertZero(RowAt(y));
        }
    }

    public override void AssertEnded() => Assert.Throws<ObjectDisposedException>(() => pin.Address);

    public override void Dispose() => pin.Dispose();

    private Span<byte> RowAt(int y) => new((byte*)pin.Pointer + ((long)y * pin.Stride), pin.Width * sizeof(TPixel));
}
