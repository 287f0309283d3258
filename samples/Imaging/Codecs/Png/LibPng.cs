using System.Runtime.InteropServices;

namespace Imaging.Codecs.Png;

/// <summary>The simplified interface of libpng 1.6; names and values are those of <c>png.h</c>.</summary>
internal static unsafe partial class LibPng
{
    private const string ImportName = "png16";

    public static CodecLibrary Library { get; } = new(
        ImportName,
        "libpng",
        "libpng16-16 on Debian, libpng16-16t64 on Ubuntu, libpng in Homebrew, and in vcpkg for Windows",
        "libpng16.so.16",
        "libpng16.so",
        "libpng16.dll",
        "libpng16-16.dll",
        "libpng16.dylib",
        "/opt/homebrew/opt/libpng/lib/libpng16.dylib",
        "/usr/local/opt/libpng/lib/libpng16.dylib");

    /// <summary>Reads the header, and keeps a pointer to the file until <see cref="Free"/>.</summary>
    [LibraryImport(ImportName, EntryPoint = "png_image_begin_read_from_memory")]
    public static partial int BeginRead(PngImage* image, byte* file, nuint fileBytes);

    /// <param name="background">What transparent pixels are laid on, if the format has no alpha. Null here: see <see cref="PngCodec"/>.</param>
    /// <param name="stride">In samples, which are bytes here.</param>
    [LibraryImport(ImportName, EntryPoint = "png_image_finish_read")]
    public static partial int FinishRead(PngImage* image, byte* background, void* pixels, int stride, void* colormap);

    /// <param name="fileBytes">How much room there is; then, how much the file takes.</param>
    /// <param name="stride">In samples, which are bytes here.</param>
    [LibraryImport(ImportName, EntryPoint = "png_image_write_to_memory")]
    public static partial int Write(PngImage* image, byte* file, nuint* fileBytes, int convertTo8Bits, void* pixels, int stride, void* colormap);

    /// <summary>Gives back what libpng took for this image. More than once does no harm.</summary>
    [LibraryImport(ImportName, EntryPoint = "png_image_free")]
    public static partial void Free(PngImage* image);
}
