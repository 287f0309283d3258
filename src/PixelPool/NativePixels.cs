using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>
/// Pixels that belong to native code until it releases them: an address, and the function and context with which it does. Got from
/// <see cref="PinnedPixels.GiveToNative"/>.
/// </summary>
/// <remarks>
/// <para>
/// The release functions may be called from any thread, also from one that the runtime does not know, and never throw into native code. The first call with a
/// <see cref="Context"/> releases the memory. A second one does nothing: it is counted (<see cref="PixelPoolStatistics.SecondReturns"/>) and told, as the
/// second disposal of a lease is. A context that was never issued does nothing, either: it is a number, not an address.
/// </para>
/// <para>
/// There is no function for libraries that call with the address of the memory only: soon after the release that address belongs to another image, and a
/// second call could not be told from its release.
/// </para>
/// </remarks>
public readonly struct NativePixels
{
    internal NativePixels(nint address, int width, int height, int stride, nint context)
    {
        Address = address;
        Width = width;
        Height = height;
        Stride = stride;
        Context = context;
    }

    /// <summary>
    /// <c>int release(void *context)</c>, in C's calling convention: for libraries that pass the context first or alone, whatever else they pass behind it.
    /// Returns 0, which is success where results are looked at.
    /// </summary>
    /// <remarks>
    /// So do GLib (<c>GDestroyNotify</c>), cairo (<c>cairo_destroy_func_t</c>), FFmpeg (<c>av_buffer_create</c>) and Core Video. Who does not take a result
    /// (<c>void</c>) leaves it where it is. The address is the same as long as the process runs.
    /// </remarks>
    public static nint ReleaseContextFirst => ReleaseFunctions.ContextFirst;

    /// <summary>
    /// <c>int release(void *any, void *context)</c>, in C's calling convention: for libraries that pass something else first, such as the address or the
    /// object that ends. Returns 0, which is success where results are looked at.
    /// </summary>
    /// <remarks>
    /// So do Skia (<c>SkBitmap::installPixels</c>, <c>SkData::MakeWithProc</c>), gdk-pixbuf (<c>GdkPixbufDestroyNotify</c>) and the signals of GObject, for
    /// example <c>postclose</c> of libvips. Who does not take a result (<c>void</c>) leaves it where it is. The address is the same as long as the process runs.
    /// </remarks>
    public static nint ReleaseContextSecond => ReleaseFunctions.ContextSecond;

    /// <summary>The address of the first pixel of the first row. It must not be used after the release.</summary>
    public nint Address { get; }

    /// <summary>Width in pixels.</summary>
    public int Width { get; }

    /// <summary>Height in rows.</summary>
    public int Height { get; }

    /// <summary>Bytes from the start of a row to the start of the next one.</summary>
    public int Stride { get; }

    /// <summary>What the release function has to be called with. Not an address, and never 0. It is not issued again after the release.</summary>
    public nint Context { get; }

    /// <summary>
    /// Releases the pixels as native code does: for those that it did not take after all. Does not throw; a second release, whoever it comes from, does nothing and is
    /// counted and told. Of the default value it does nothing.
    /// </summary>
    public void Release() => NativeReferences.Release(Context);

    /// <summary>Size, address and context, for debuggers.</summary>
    public override string ToString() => Context == 0
        ? "0 x 0 pixels, never given"
        : $"{Width} x {Height} pixels at 0x{Address:X}, {ByteSize.Format(Stride)} from row to row, given to native code as 0x{Context:X}";
}
