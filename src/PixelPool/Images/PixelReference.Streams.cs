using System.Runtime.InteropServices;

namespace PixelPool;

// Raw pixel bytes in and out of streams.
internal readonly ref partial struct PixelReference<TPixel>
{
    public void ReadFrom(Stream source)
    {
        PixelAccessor<TPixel> accessor = Access();
        long readBytes = 0;
        for (int y = 0; y < Height;)
        {
            Span<byte> run = MemoryMarshal.AsBytes(accessor.GetRunSpan(y, out int rows));
            while (!run.IsEmpty)
            {
                int count = source.Read(run);
                Throw.IfNotRead(count, run.Length, readBytes, (long)Height * RowBytes);
                readBytes += count;
                run = run.Slice(count);
            }

            y += rows;
        }
    }

    public void WriteTo(Stream destination)
    {
        PixelAccessor<TPixel> accessor = Access();
        for (int y = 0; y < Height;)
        {
            destination.Write(MemoryMarshal.AsBytes(accessor.GetRunSpan(y, out int rows)));
            y += rows;
        }
    }
}
