using PixelPool.Lifetime;
using PixelPool.Pooling;

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
    // Of what is longer than one row can be: any size that can be addressed is fewer of them than an int can count. A multiple of every alignment.
    private const int RowBytes = 64 * 1024;

    // Up to so many bytes one row, exactly as long as is needed: what is guarded ends with the last sample.
    private const int MostBytesOfOneRow = int.MaxValue - RowBytes;

    private readonly PixelBuffer<byte>[] _planes;
    private readonly PixelBuffer<byte> _memory;

    private PlanarImage(PixelBuffer<byte> memory, PlanarLayout layout)
    {
        _memory = memory;
        _planes = new PixelBuffer<byte>[layout.Planes.Count];
        Layout = layout;
        Planes = Array.AsReadOnly(_planes);
    }

    /// <summary>How the planes lie in the memory.</summary>
    public PlanarLayout Layout { get; }

    /// <summary>Width of the image in pixels.</summary>
    public int Width => Layout.Width;

    /// <summary>Height of the image in rows.</summary>
    public int Height => Layout.Height;

    /// <summary>
    /// The planes, in the order of <see cref="PlanarLayout.Planes"/>. Each is contiguous and can be pinned. They belong to the image. A plane that is disposed
    /// by itself can no longer be used, but its memory is returned with the image. Where a sample has two bytes, <c>Planes[0].Cast&lt;ushort&gt;()</c> has it as a pixel.
    /// </summary>
    public IReadOnlyList<PixelBuffer<byte>> Planes { get; }

    /// <summary>True once <see cref="Dispose"/> was called.</summary>
    public bool IsDisposed => _memory.IsDisposed;

    /// <summary>
    /// Fixes all planes for native code. The address is that of the first plane; <see cref="PlaneLayout.Offset"/> tells where each of the others begins. Holds the memory until the pin is disposed,
    /// even if the image is disposed before.
    /// </summary>
    /// <returns>The pin, with the size and the stride of the first plane.</returns>
    /// <exception cref="ObjectDisposedException">The image, or its first plane, was disposed.</exception>
    public PinnedPixels Pin() => Planes[0].Pin();

    /// <summary>Reads the samples of all planes from a stream, plane by plane and row by row, without gaps, as files of raw video have them.</summary>
    /// <param name="source">Read for the samples of exactly one image.</param>
    /// <exception cref="EndOfStreamException">
    /// The stream ended before all samples were read. The message counts the bytes of the plane where it ended. What was read so far is in the image.
    /// </exception>
    /// <exception cref="IOException">The stream claims to have read more bytes than it was asked for.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The image was disposed, before the call or before the last plane was begun.</exception>
    public void ReadFrom(Stream source)
    {
        foreach (PixelBuffer<byte> plane in _planes)
        {
            plane.ReadFrom(source);
        }
    }

    /// <summary>Writes the samples of all planes to a stream, plane by plane and row by row, without gaps.</summary>
    /// <param name="destination">Receives the samples.</param>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The image was disposed, before the call or before the last plane was begun.</exception>
    public void WriteTo(Stream destination)
    {
        foreach (PixelBuffer<byte> plane in _planes)
        {
            plane.WriteTo(destination);
        }
    }

    /// <summary>Reads the samples of all planes as <see cref="ReadFrom"/> does, without a thread that is blocked.</summary>
    /// <param name="source">Read for the samples of exactly one image.</param>
    /// <param name="cancellationToken">Cancels the reading. What was read so far is in the image.</param>
    /// <exception cref="EndOfStreamException">As for <see cref="ReadFrom"/>.</exception>
    /// <exception cref="IOException">As for <see cref="ReadFrom"/>.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The image was disposed, before the call or before the last plane was begun.</exception>
    public async ValueTask ReadFromAsync(Stream source, CancellationToken cancellationToken = default)
    {
        foreach (PixelBuffer<byte> plane in _planes)
        {
            await plane.ReadFromAsync(source, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Writes the samples of all planes as <see cref="WriteTo"/> does, without a thread that is blocked.</summary>
    /// <param name="destination">Receives the samples.</param>
    /// <param name="cancellationToken">Cancels the writing.</param>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The image was disposed, before the call or before the last plane was begun.</exception>
    public async ValueTask WriteToAsync(Stream destination, CancellationToken cancellationToken = default)
    {
        foreach (PixelBuffer<byte> plane in _planes)
        {
            await plane.WriteToAsync(destination, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>A new image of the same layout with the same samples, rented from the same allocator.</summary>
    /// <returns>The image. The caller disposes it. It belongs to no scope, and the allocator's own budget pays for it.</returns>
    /// <exception cref="PixelBudgetExceededException">The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>.</exception>
    /// <exception cref="ObjectDisposedException">The image, or the allocator, was disposed.</exception>
    public PlanarImage Clone() => Of(_memory.Clone(), Layout);

    /// <summary>Gives the memory back as soon as no view, pin or running delegate of a plane uses it. Thread-safe. Only the first call does anything.</summary>
    /// <remarks>It can throw as <see cref="PixelBuffer{TPixel}.Dispose"/> can.</remarks>
    public void Dispose()
    {
        // Those that there are: one of them may have failed.
        foreach (PixelBuffer<byte>? plane in _planes)
        {
            plane?.Dispose();
        }

        _memory.Dispose();
    }

    /// <summary>Format, size, bytes and state, for debuggers.</summary>
    public override string ToString() => $"{Layout}{(IsDisposed ? ", disposed" : string.Empty)}";

    /// <summary>Takes the memory of an image of several planes now, or as soon as the budgets have room for it: see <see cref="PixelAllocator.TakeAsync"/>.</summary>
    internal static ValueTask<THandle> TakeAsync<THandle>(
        PixelAllocator allocator,
        RentScope? scope,
        PlanarLayout layout,
        AllocationOptions options,
        Func<(RentScope? Scope, PlanarLayout Layout), LifetimeGuard, PixelLayout, THandle> make,
        CancellationToken cancellationToken)
    {
        (int width, int height) = RentSize(layout);
        return allocator.TakeAsync(scope?.Payer, width, height, sizeof(byte), options | AllocationOptions.Contiguous, (scope, layout), make, cancellationToken);
    }

    /// <summary>Takes over memory of the size of <see cref="RentSize"/>. If that fails, the memory is returned.</summary>
    internal static PlanarImage Of(PixelBuffer<byte> memory, PlanarLayout layout)
    {
        IDisposable owner = memory;
        try
        {
            var image = new PlanarImage(memory, layout);
            owner = image;
            for (int i = 0; i < image._planes.Length; i++)
            {
                image._planes[i] = memory.Part(layout.PixelsOf(i));
            }

            return image;
        }
        catch
        {
            owner.Dispose();
            throw;
        }
    }

    /// <summary>The size of an image of bytes that has room for all planes.</summary>
    internal static (int Width, int Height) RentSize(PlanarLayout layout)
    {
        Throw.IfNull(layout, nameof(layout));
        return layout.Bytes <= MostBytesOfOneRow ? ((int)layout.Bytes, 1) : (RowBytes, (int)((layout.Bytes + RowBytes - 1) / RowBytes));
    }
}
