using System.Runtime.InteropServices;

namespace PixelPool.Tests.ModelBased;

/// <summary>An image, or a view of one.</summary>
internal sealed class BufferHandle<TPixel>(PixelBuffer<TPixel> buffer, RentedMemory memory, int firstRow, bool isView) : Handle(memory, firstRow)
    where TPixel : unmanaged
{
    public override bool IsWhole => !isView;

    public override void Fill() => buffer.ProcessPixelRows(this, static (rows, handle) =>
    {
        for (int y = 0; y < rows.Height; y++)
        {
            MemoryMarshal.AsBytes(rows.GetRowSpan(y)).Fill(handle.ByteOf(y));
        }
    });

    public override void AssertContent() => buffer.ProcessPixelRows(this, static (rows, handle) =>
    {
        for (int y = 0; y < rows.Height; y++)
        {
            handle.AssertRow(MemoryMarshal.AsBytes(rows.GetRowSpan(y)), y);
        }
    });

    public override void AssertClean() => buffer.ProcessPixelRows(static rows =>
    {
        foreach (Span<TPixel> row in rows)
        {
            AssertZero(MemoryMarshal.AsBytes(row));
        }
    });

    public override void AssertEnded() => Assert.Throws<ObjectDisposedException>(() => buffer[0, 0]);

    public override Handle TryView(int x, int y)
    {
        (x, y) = (x % buffer.Width, y % buffer.Height);
        return new BufferHandle<TPixel>(buffer.View(x, y, buffer.Width - x, buffer.Height - y), Memory, FirstRow + y, isView: true);
    }

    public override Handle? TryPin()
    {
        if (buffer.IsContiguous)
        {
            return new PinHandle<TPixel>(buffer.Pin(), Memory, FirstRow);
        }

        Assert.Throws<InvalidMemoryOperationException>(buffer.Pin);
        return null;
    }

    public override void Dispose() => buffer.Dispose();
}
