using System.Runtime.InteropServices;

namespace PixelPool.Tests.ModelBased;

/// <summary>An image as a struct.</summary>
internal sealed class LeaseHandle<TPixel>(PixelLease<TPixel> lease, RentedMemory memory) : Handle(memory, firstRow: 0)
    where TPixel : unmanaged
{
    public override bool CountsSecondReturn => true;

    public override void Fill() => lease.ProcessPixelRows(this, static (rows, handle) =>
    {
        for (int y = 0; y < rows.Height; y++)
        {
            MemoryMarshal.AsBytes(rows.GetRowSpan(y)).Fill(handle.ByteOf(y));
        }
    });

    public override void AssertContent() => lease.ProcessPixelRows(this, static (rows, handle) =>
    {
        for (int y = 0; y < rows.Height; y++)
        {
            handle.AssertRow(MemoryMarshal.AsBytes(rows.GetRowSpan(y)), y);
        }
    });

    public override void AssertClean() => lease.ProcessPixelRows(static rows =>
    {
        foreach (Span<TPixel> row in rows)
        {
            AssertZero(MemoryMarshal.AsBytes(row));
        }
    });

    public override void AssertEnded() => Assert.Throws<ObjectDisposedException>(() => lease[0, 0]);

    public override Handle TryView(int x, int y)
    {
        using PixelBuffer<TPixel> whole = lease.AsBuffer();
        (x, y) = (x % whole.Width, y % whole.Height);
        return new BufferHandle<TPixel>(whole.View(x, y, whole.Width - x, whole.Height - y), Memory, y, isView: true);
    }

    public override Handle? TryPin()
    {
        if (lease.IsContiguous)
        {
            return new PinHandle<TPixel>(lease.Pin(), Memory, FirstRow);
        }

        Assert.Throws<InvalidMemoryOperationException>(() => lease.Pin());
        return null;
    }

    public override void Dispose() => lease.Dispose();
}
