using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <content>Planes of memory that has several.</content>
public sealed partial class PixelBuffer<TPixel>
    where TPixel : unmanaged
{
    /// <summary>A plane somewhere in the memory of this buffer, which is contiguous and no view. It has a reference of its own, as views have.</summary>
    internal PixelBuffer<TPixel> Plane(in PlaneLayout plane)
    {
        HeldPixels<TPixel> pixels = Hold();
        try
        {
            // Rows are counted in the plane's own stride, from the start of the memory: so a plane may lie anywhere in it.
            int firstRow = (int)(plane.Offset / plane.Stride);
            var rows = new PixelLayout(plane.Width, plane.Height, plane.Stride, rowsPerBlock: firstRow + plane.Height, isDivided: false);
            PixelLayout layout = rows.Cut((int)(plane.Offset % plane.Stride), firstRow, plane.Width, plane.Height);
            return new PixelBuffer<TPixel>(_guard, _version, in layout, LifetimeGuard.Reference);
        }
        catch
        {
            pixels.Dispose();
            throw;
        }
    }
}
