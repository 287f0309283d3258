using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>
/// Pixels that native code keeps until it releases them: an address, and the function and context to release them with. <see cref="PinnedPixels.GiveToNative"/>
/// returns it.
/// </summary>
/// <remarks>
/// <para>
/// The release functions may be called from any thread, including native threads, and never throw into native code. The first call with a <see cref="Context"/>
/// releases the memory. A second call does nothing to the memory. It is counted (<see cref="PixelPoolStatistics.SecondReturns"/>) and reported, like the second
/// disposal of a lease. A context is a number, not an address, so a call with a context that was never issued does nothing.
/// </para>
/// <para>
/// There is no function for libraries that pass only the address of the memory. Soon after the release that address belongs to another image, and a second call
/// could not be told from the release of that image.
/// </para>
/// </remarks>
public readonly struct NativePixels
{
    /// <summary>
    /// <c>int release(void *context)</c>, in C's calling convention: for libraries that pass the context as the first argument, whatever else they pass after
    /// it. Returns 0, which means success to libraries that check the result.
    /// </summary>
    /// <remarks>
    /// GLib (<c>GDestroyNotify</c>), cairo (<c>cairo_destroy_func_t</c>), FFmpeg (<c>av_buffer_create</c>) and Core Video do so. Libraries that expect no
    /// result (<c>void</c>) ignore it. The address does not change while the process runs.
    /// </remarks>
    public static nint ReleaseContextFirst => ReleaseFunctions.ContextFirst;

    /// <summary>
    /// <c>int release(void *any, void *context)</c>, in C's calling convention: for libraries that pass something else first, such as the address or the object
    /// that ends. Returns 0, which means success to libraries that check the result.
    /// </summary>
    /// <remarks>
    /// Skia (<c>SkBitmap::installPixels</c>, <c>SkData::MakeWithProc</c>), gdk-pixbuf (<c>GdkPixbufDestroyNotify</c>) and the signals of GObject, for example
    /// <c>postclose</c> of libvips, do so. Libraries that expect no result (<c>void</c>) ignore it. The address does not change while the process runs.
    /// </remarks>
    public static nint ReleaseContextSecond => ReleaseFunctions.ContextSecond;

    /// <summary>The address of the first pixel of the first row. It must not be used after the release.</summary>
    public nint Address { get; internal init; }

    /// <summary>Width in pixels.</summary>
    public int Width { get; internal init; }

    /// <summary>Height in rows.</summary>
    public int Height { get; internal init; }

    /// <summary>Bytes from the start of a row to the start of the next one.</summary>
    public int Stride { get; internal init; }

    /// <summary>The argument that the release function is called with. It is not an address, and never 0. It is not issued again after the release.</summary>
    public nint Context { get; internal init; }

    /// <summary>
    /// Releases the pixels as native code does, for pixels that native code did not take after all. Does not throw. A second release, from here or from native
    /// code, does nothing to the memory; it is counted and reported. For the default value it does nothing.
    /// </summary>
    public void Release() => NativeReferences.Release(Context);

    /// <summary>Size, address and context, for debuggers.</summary>
    public override string ToString() => Context == 0
        ? "0 x 0 pixels, never given"
        : $"{Width} x {Height} pixels at 0x{Address:X}, stride {Plural.Of(Stride, "byte")}, given to native code as 0x{Context:X}";
}
