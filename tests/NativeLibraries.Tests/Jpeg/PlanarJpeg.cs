using System.Runtime.InteropServices;
using Imaging.Codecs.Jpeg;
using Imaging.Memory;

namespace NativeLibraries.Tests.Jpeg;

/// <summary>JPEG from and to planes that lie in one rent: one pin holds all of them.</summary>
internal static unsafe class PlanarJpeg
{
    private const int Quality = 95;

    /// <summary>Makes planes of an image.</summary>
    public static void Encode(PixelBuffer<Rgb24> source, PlanarImage planes, int subsampling)
    {
        using TurboJpegHandle compressor = TurboJpegHandle.Compressor();
        using PinnedPixels pixels = source.Pin();
        using PinnedPixels pin = planes.Planes[0].Pin();
        fixed (nint* addresses = Addresses(pin, planes))
        fixed (int* strides = Strides(planes))
        {
            compressor.ThrowIfFailed(TurboJpegPlanes.Encode(
                compressor, pixels.Address, pixels.Width, pixels.Stride, pixels.Height, TurboJpeg.PixelFormatRgb, addresses, strides, subsampling, flags: 0));
        }
    }

    /// <summary>Writes a file of planes.</summary>
    public static byte[] Write(PlanarImage planes, int subsampling)
    {
        using TurboJpegHandle compressor = TurboJpegHandle.Compressor();
        using PinnedPixels pin = planes.Planes[0].Pin();
        CULong length = TurboJpeg.BufferSize(planes.Width, planes.Height, subsampling);
        byte[] file = new byte[length.Value];
        fixed (nint* addresses = Addresses(pin, planes))
        fixed (int* strides = Strides(planes))
        fixed (byte* start = file)
        {
            byte* bytes = start;
            compressor.ThrowIfFailed(TurboJpegPlanes.Compress(
                compressor, addresses, planes.Width, strides, planes.Height, subsampling, ref bytes, ref length, Quality, TurboJpeg.NoRealloc));
        }

        return file[..(int)length.Value];
    }

    /// <summary>Reads a file into planes.</summary>
    public static void Read(byte[] file, PlanarImage planes)
    {
        using TurboJpegHandle decompressor = TurboJpegHandle.Decompressor();
        using PinnedPixels pin = planes.Planes[0].Pin();
        fixed (nint* addresses = Addresses(pin, planes))
        fixed (int* strides = Strides(planes))
        fixed (byte* bytes = file)
        {
            decompressor.ThrowIfFailed(TurboJpegPlanes.Decompress(
                decompressor, bytes, new CULong((nuint)file.Length), addresses, planes.Width, strides, planes.Height, TurboJpeg.StopOnWarning));
        }
    }

    /// <summary>Reads a file into planes of which TurboJPEG is told the first address only: it counts by itself where the others lie.</summary>
    public static void ReadUnified(byte[] file, PlanarImage planes)
    {
        using TurboJpegHandle decompressor = TurboJpegHandle.Decompressor();
        using PinnedPixels pin = planes.Planes[0].Pin();
        fixed (byte* bytes = file)
        {
            decompressor.ThrowIfFailed(TurboJpegPlanes.DecompressUnified(
                decompressor, bytes, new CULong((nuint)file.Length), pin.Address, planes.Width, planes.Layout.RowAlignmentBytes, planes.Height, TurboJpeg.StopOnWarning));
        }
    }

    private static nint[] Addresses(PinnedPixels pin, PlanarImage planes) => [.. planes.Layout.Planes.Select(plane => pin.Address + (nint)plane.Offset)];

    private static int[] Strides(PlanarImage planes) => [.. planes.Layout.Planes.Select(static plane => plane.Stride)];
}
