using System.Runtime.InteropServices;

namespace Imaging.Codecs.Jpeg;

/// <summary>The part of the TurboJPEG API that is used here; names and values are those of <c>turbojpeg.h</c> 2.x, but for <see cref="Set"/>.</summary>
internal static unsafe partial class TurboJpeg
{
    internal const string ImportName = "turbojpeg";

    public static CodecLibrary Library { get; } = new(
        ImportName,
        "libjpeg-turbo",
        "libturbojpeg0 on Debian, libturbojpeg on Ubuntu, jpeg-turbo in Homebrew, and on libjpeg-turbo.org for Windows",
        "libturbojpeg.so.0",
        "libturbojpeg.so",
        "turbojpeg.dll",
        "libturbojpeg.dll",
        "libturbojpeg.dylib",
        "/opt/homebrew/opt/jpeg-turbo/lib/libturbojpeg.dylib",
        "/usr/local/opt/jpeg-turbo/lib/libturbojpeg.dylib");

    /// <summary>Whether <see cref="Set"/> is there: from 3.0 on.</summary>
    public static bool HasSet { get; } = Library.IsAvailable && NativeLibrary.TryGetExport(CodecLibrary.Find(ImportName), "tj3Set", out _);

    /// <summary>TJPARAM_SAVEMARKERS, of 3.1 and later: which segments beside the picture are kept. 0: none.</summary>
    public const int SaveMarkers = 25;

    /// <summary>TJPF_RGB.</summary>
    public const int PixelFormatRgb = 0;

    /// <summary>TJSAMP_420.</summary>
    public const int Subsampling420 = 2;

    /// <summary>TJCS_CMYK and TJCS_YCCK, which this API does not convert to RGB, are the colour spaces from here on.</summary>
    public const int FirstCmykColorSpace = 3;

    /// <summary>TJFLAG_NOREALLOC: the destination is ours and stays where it is.</summary>
    public const int NoRealloc = 1024;

    /// <summary>TJFLAG_STOPONWARNING: a truncated file is an error, not a grey lower half.</summary>
    public const int StopOnWarning = 8192;

    /// <summary>TJFLAG_PROGRESSIVE: several scans, each of the whole picture.</summary>
    public const int Progressive = 16384;

    /// <summary>TJFLAG_LIMITSCANS: progressive files built to be slow are an error.</summary>
    public const int LimitScans = 32768;

    [LibraryImport(ImportName, EntryPoint = "tjInitDecompress")]
    public static partial TurboJpegHandle InitDecompress();

    [LibraryImport(ImportName, EntryPoint = "tjInitCompress")]
    public static partial TurboJpegHandle InitCompress();

    [LibraryImport(ImportName, EntryPoint = "tjDestroy")]
    public static partial int Destroy(nint handle);

    [LibraryImport(ImportName, EntryPoint = "tj3Set")]
    public static partial int Set(TurboJpegHandle handle, int parameter, int value);

    [LibraryImport(ImportName, EntryPoint = "tjDecompressHeader3")]
    public static partial int DecompressHeader(
        TurboJpegHandle handle, byte* file, CULong fileBytes, out int width, out int height, out int subsampling, out int colorSpace);

    [LibraryImport(ImportName, EntryPoint = "tjDecompress2")]
    public static partial int Decompress(
        TurboJpegHandle handle, byte* file, CULong fileBytes, void* pixels, int width, int stride, int height, int pixelFormat, int flags);

    [LibraryImport(ImportName, EntryPoint = "tjCompress2")]
    public static partial int Compress(
        TurboJpegHandle handle, void* pixels, int width, int stride, int height, int pixelFormat,
        ref byte* file, ref CULong fileBytes, int subsampling, int quality, int flags);

    /// <summary>The most bytes that compressing an image of this size can take.</summary>
    [LibraryImport(ImportName, EntryPoint = "tjBufSize")]
    public static partial CULong BufferSize(int width, int height, int subsampling);

    [LibraryImport(ImportName, EntryPoint = "tjGetErrorStr2")]
    public static partial nint ErrorText(TurboJpegHandle handle);
}
