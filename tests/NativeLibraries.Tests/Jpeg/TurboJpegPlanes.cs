using System.Runtime.InteropServices;
using Imaging.Codecs.Jpeg;

namespace NativeLibraries.Tests.Jpeg;

/// <summary>What TurboJPEG does with planes; names are those of <c>turbojpeg.h</c> 2.x.</summary>
internal static unsafe partial class TurboJpegPlanes
{
    [LibraryImport(TurboJpeg.ImportName, EntryPoint = "tjBufSizeYUV2")]
    public static partial CULong BufferSize(int width, int padding, int height, int subsampling);

    [LibraryImport(TurboJpeg.ImportName, EntryPoint = "tjPlaneWidth")]
    public static partial int PlaneWidth(int component, int width, int subsampling);

    [LibraryImport(TurboJpeg.ImportName, EntryPoint = "tjPlaneHeight")]
    public static partial int PlaneHeight(int component, int height, int subsampling);

    [LibraryImport(TurboJpeg.ImportName, EntryPoint = "tjPlaneSizeYUV")]
    public static partial CULong PlaneSize(int component, int width, int stride, int height, int subsampling);

    [LibraryImport(TurboJpeg.ImportName, EntryPoint = "tjEncodeYUVPlanes")]
    public static partial int Encode(
        TurboJpegHandle handle, nint pixels, int width, int stride, int height, int pixelFormat, nint* planes, int* strides, int subsampling, int flags);

    [LibraryImport(TurboJpeg.ImportName, EntryPoint = "tjCompressFromYUVPlanes")]
    public static partial int Compress(
        TurboJpegHandle handle, nint* planes, int width, int* strides, int height, int subsampling, ref byte* file, ref CULong fileBytes, int quality, int flags);

    [LibraryImport(TurboJpeg.ImportName, EntryPoint = "tjDecompressToYUVPlanes")]
    public static partial int Decompress(
        TurboJpegHandle handle, byte* file, CULong fileBytes, nint* planes, int width, int* strides, int height, int flags);

    [LibraryImport(TurboJpeg.ImportName, EntryPoint = "tjDecompressToYUV2")]
    public static partial int DecompressUnified(
        TurboJpegHandle handle, byte* file, CULong fileBytes, nint buffer, int width, int padding, int height, int flags);
}
