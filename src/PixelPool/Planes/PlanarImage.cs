using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>
/// An image of several planes in one rent, as codecs and video use it. <see cref="PlanarRenting.RentPlanar(PixelAllocator, PlanarLayout, AllocationOptions)"/>
/// returns it, <see cref="Dispose"/> gives it back.
/// </summary>
/// <remarks>
/// The planes share the memory, and end with the image. Views, pins and running delegates of them hold the memory until they end, as those of a
/// <see cref="PixelBuffer{TPixel}"/> do. So one pin holds all planes; <see cref="PlaneLayout.Offset"/> tells where each one begins. A forgotten image is
/// returned by a finalizer and counted as leaked. As thread-safe as a <see cref="PixelBuffer{TPixel}"/>.
/// </remarks>
public sealed class PlanarImage : IRentHandle
{
    // Below so many bytes one row, exactly as long as is needed. Else rows of a page: their alignment adds nothing, and any number of them can be counted.
    private const int PageBytes = 4096;

    private readonly PixelBuffer<byte>[] _planes;
    private readonly PixelBuffer<byte> _memory;

    /// <summary>Takes over memory of the size of <see cref="RentSize"/>, unless it throws.</summary>
    internal PlanarImage(PixelBuffer<byte> memory, PlanarLayout layout)
    {
        _planes = new PixelBuffer<byte>[layout.Planes.Count];
        Layout = layout;
        Planes = Array.AsReadOnly(_planes);
        _memory = memory;
        try
        {
            for (int i = 0; i < _planes.Length; i++)
            {
                _planes[i] = memory.Part(layout.Planes[i].ToPixels());
            }
        }
        catch
        {
            DisposePlanes();
            throw;
        }
    }

    /// <summary>How the planes lie in the memory.</summary>
    public PlanarLayout Layout { get; }

    /// <summary>Width of the image in pixels.</summary>
    public int Width => Layout.Width;

    /// <summary>Height of the image in rows.</summary>
    public int Height => Layout.Height;

    /// <summary>
    /// The planes, in the order of <see cref="PlanarLayout.Planes"/>. Each is contiguous and can be pinned. They belong to the image. A plane that is disposed
    /// by itself can no longer be used, but its memory is returned with the image.
    /// </summary>
    public IReadOnlyList<PixelBuffer<byte>> Planes { get; }

    /// <summary>True once <see cref="Dispose"/> was called.</summary>
    public bool IsDisposed => _memory.IsDisposed;

    /// <summary>Gives the memory back as soon as no view, pin or running delegate of a plane uses it. Thread-safe. Only the first call does anything.</summary>
    public void Dispose()
    {
        DisposePlanes();
        _memory.Dispose();
    }

    /// <summary>Format, size, bytes and state, for debuggers.</summary>
    public override string ToString() => $"{Layout}{(IsDisposed ? ", disposed" : string.Empty)}";

    /// <summary>The size of an image of bytes that has room for all planes.</summary>
    void IRentHandle.AddGuards(HashSet<object> guards) => ((IRentHandle)_memory).AddGuards(guards);

    internal static (int Width, int Height) RentSize(PlanarLayout layout)
    {
        Throw.IfNull(layout, nameof(layout));
        long rows = (layout.Bytes + PageBytes - 1) / PageBytes;
        if (rows > int.MaxValue)
        {
            Throw.TooLarge(layout.Bytes, (long)int.MaxValue * PageBytes);
        }

        return rows == 1 ? ((int)layout.Bytes, 1) : (PageBytes, (int)rows);
    }

    // Those that there are: the constructor may have failed.
    private void DisposePlanes()
    {
        foreach (PixelBuffer<byte>? plane in _planes)
        {
            plane?.Dispose();
        }
    }
}
