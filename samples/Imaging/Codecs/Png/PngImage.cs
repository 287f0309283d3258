using System.Runtime.InteropServices;

namespace Imaging.Codecs.Png;

/// <summary><c>png_image</c>: what libpng and its caller tell each other about one file that is read or written.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct PngImage
{
    /// <summary>PNG_FORMAT_RGB: 8 bits a sample, no alpha.</summary>
    public const uint FormatRgb = 2;

    /// <summary>PNG_FORMAT_RGBA: the same with alpha.</summary>
    public const uint FormatRgba = FormatRgb | FlagAlpha;

    /// <summary>PNG_IMAGE_FLAG_16BIT_sRGB: files with 16 bits a sample that name no colour space are like all others, and not linear.</summary>
    public const uint Flag16BitSrgb = 4;

    /// <summary>PNG_FORMAT_FLAG_ALPHA.</summary>
    private const uint FlagAlpha = 1;

    private const int MessageBytes = 64;

    /// <summary>What libpng keeps between two calls.</summary>
    public nint Control;

    /// <summary>PNG_IMAGE_VERSION: 1.</summary>
    public uint Version;

    public uint Width;
    public uint Height;
    public uint Format;
    public uint Flags;
    public uint ColormapEntries;
    public uint WarningOrError;
    public fixed byte Message[MessageBytes];

    /// <summary>Of a file whose header was read: whether some of it may be transparent.</summary>
    public readonly bool HasAlpha => (Format & FlagAlpha) != 0;

    public static PngImage New() => new() { Version = 1 };

    /// <summary>Throws what libpng has to say when <paramref name="result"/> is not success.</summary>
    public readonly void ThrowIfFailed(int result)
    {
        if (result == 0)
        {
            fixed (byte* message = Message)
            {
                throw CodecLibrary.Failure($"libpng gave up: {Marshal.PtrToStringUTF8((nint)message)}.");
            }
        }
    }
}
