namespace PixelPool.Tests.Stress;

/// <summary>An image with its cookie in the first and last pixel of every row, and in one pixel of every page between.</summary>
internal sealed class StressImage
{
    private const int Step = 1024;

    private readonly uint _cookie;
    private PixelBuffer<uint> _buffer;

    public StressImage(PixelBuffer<uint> buffer, uint cookie)
    {
        _buffer = buffer;
        _cookie = cookie;
        buffer.ProcessPixelRows(cookie, Write);
    }

    public bool CanBePinned => _buffer.IsContiguous;

    /// <summary>Goes on with a view, which then is all that holds the memory.</summary>
    public void BecomeView()
    {
        PixelBuffer<uint> view = _buffer.View(0, 0, _buffer.Width, _buffer.Height);
        _buffer.Dispose();
        _buffer = view;
    }

    public void Verify() => _buffer.ProcessPixelRows(_cookie, Verify);

    public void VerifyAndReturn()
    {
        Verify();
        _buffer.Dispose();
    }

    /// <summary>Returns the image while it is looked at, inside of its own delegate.</summary>
    public void ReturnInside() => _buffer.ProcessPixelRows(this, static (rows, image) =>
    {
        image._buffer.Dispose();
        Thread.Yield();
        Verify(rows, image._cookie);
    });

    /// <summary>Returns the image from one thread while another one looks at it.</summary>
    public Action ReturnElsewhere() => _buffer.Dispose;

    /// <summary>Looks at the image, which somebody may return at any moment.</summary>
    public void VerifyUnlessReturned()
    {
        try
        {
            Verify();
        }
        catch (ObjectDisposedException)
        {
            // In time: nothing was looked at.
        }
    }

    /// <summary>Returns the image under a pin, and reads it through the pin.</summary>
    public unsafe void ReturnUnderPin()
    {
        using PinnedPixels pin = _buffer.Pin();
        _buffer.Dispose();
        Thread.Yield();
        for (int y = 0; y < pin.Height; y++)
        {
            VerifyRow(new Span<uint>((byte*)pin.Pointer + ((long)y * pin.Stride), pin.Width), _cookie, y);
        }
    }

    private static void Write(PixelAccessor<uint> rows, uint cookie)
    {
        for (int y = 0; y < rows.Height; y++)
        {
            Span<uint> row = rows.GetRowSpan(y);
            for (int x = 0; x < row.Length; x += Step)
            {
                row[x] = At(cookie, x, y);
            }

            row[^1] = At(cookie, row.Length - 1, y);
        }
    }

    private static void Verify(PixelAccessor<uint> rows, uint cookie)
    {
        for (int y = 0; y < rows.Height; y++)
        {
            VerifyRow(rows.GetRowSpan(y), cookie, y);
        }
    }

    private static void VerifyRow(Span<uint> row, uint cookie, int y)
    {
        for (int x = 0; x < row.Length; x += Step)
        {
            Check(row[x], cookie, x, y);
        }

        Check(row[^1], cookie, row.Length - 1, y);
    }

    private static void Check(uint found, uint cookie, int x, int y)
    {
        if (found != At(cookie, x, y))
        {
            throw new InvalidOperationException($"Somebody else wrote to pixel ({x}, {y}): 0x{found:x8} instead of 0x{At(cookie, x, y):x8}.");
        }
    }

    private static uint At(uint cookie, int x, int y) => cookie ^ (uint)((y * 40503) + x);
}
