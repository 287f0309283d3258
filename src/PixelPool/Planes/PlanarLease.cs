namespace PixelPool;

/// <summary>
/// An image of several planes as a struct: like a <see cref="PlanarImage"/>, but without an object on the managed heap. <see cref="PlanarLeasing"/> returns it, <see cref="Dispose"/>, called once,
/// gives it back.
/// </summary>
/// <remarks>As thread-safe as a <see cref="PixelLease{TPixel}"/>, and copied, forgotten and disposed twice as one is. The default value holds nothing.</remarks>
public readonly struct PlanarLease : IDisposable
{
    private readonly PixelLease<byte> _memory;
    private readonly PlanarLayout? _layout;

    /// <summary>Takes over memory of the size of <see cref="PlanarImage.RentSize"/>.</summary>
    internal PlanarLease(PixelLease<byte> memory, PlanarLayout layout)
    {
        _memory = memory;
        _layout = layout;
    }

    /// <summary>How the planes lie in the memory.</summary>
    /// <exception cref="ObjectDisposedException">This is the default value.</exception>
    public PlanarLayout Layout
    {
        get
        {
            if (_layout is null)
            {
                Throw.Returned(typeof(PlanarLease), wasRented: false);
            }

            return _layout;
        }
    }

    /// <summary>Width of the image in pixels. 0 for the default value.</summary>
    public int Width => _layout?.Width ?? 0;

    /// <summary>Height of the image in rows. 0 for the default value.</summary>
    public int Height => _layout?.Height ?? 0;

    /// <summary>True once the lease, or a copy of it, was disposed. True for the default value.</summary>
    public bool IsDisposed => _memory.IsDisposed;

    /// <summary>A plane, without an object. It shares the memory, but does not hold it: it throws once the lease was disposed. Disposing it does nothing.</summary>
    /// <param name="index">Which one, in the order of <see cref="PlanarLayout.Planes"/>.</param>
    /// <returns>The plane. It ends with this lease, and need not be disposed.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such plane.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public PixelLease<byte> GetPlane(int index) => _memory.Part(Layout.PixelsOf(index));

    /// <summary>
    /// The address of the first sample of the first plane, for native code that is called now; <see cref="PlaneLayout.Offset"/> tells where each of the others begins. Nothing protects it: it is
    /// invalid as soon as the lease is disposed. For native code that takes longer, pin a plane: that holds all of them.
    /// </summary>
    /// <returns>The address, for as long as the lease is not disposed.</returns>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public nint DangerousGetAddress() => _memory.DangerousGetAddress();

    /// <summary>Gives the memory back as soon as no pin or running delegate uses it. A second call does nothing to the memory; it is counted and reported.</summary>
    /// <remarks>The first call can throw as <see cref="PixelBuffer{TPixel}.Dispose"/> can.</remarks>
    public void Dispose() => _memory.Dispose();

    /// <summary>Format, size, bytes and state, for debuggers.</summary>
    public override string ToString() => _layout is null ? "never rented" : $"{_layout}{(IsDisposed ? ", disposed" : string.Empty)}";
}
