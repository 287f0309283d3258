using System.Buffers;
using System.Runtime.CompilerServices;

namespace Imaging.Memory;

/// <summary>What the allocators that only know runs of bytes have in common: an image is one run, row after row.</summary>
public abstract class FlatImageMemory : ImageMemory
{
    /// <inheritdoc/>
    public override string WayToGiveBack => "GC.Collect()";

    /// <inheritdoc/>
    public override Image<TPixel> Rent<TPixel>(int width, int height, PixelLayout layout = PixelLayout.Rows)
    {
        long bytes = (long)width * height * Unsafe.SizeOf<TPixel>();
        if (bytes > Array.MaxLength)
        {
            throw new NotSupportedException($"An image of {width} × {height} pixels does not fit into one run of memory.");
        }

        return new FlatImage<TPixel>(RentBytes((int)bytes), width, height);
    }

    /// <summary>Collects everything, twice, so that what finalizers and array pools let go of leaves too.</summary>
    public override void GiveBackIdle()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        GC.WaitForPendingFinalizers();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }

    /// <summary>Nothing: these allocators are the process's own.</summary>
    public override void Dispose()
    {
    }
}
