using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Imaging.Codecs.Jpeg;

/// <summary>A compressor or decompressor; one thread at a time.</summary>
internal sealed class TurboJpegHandle() : SafeHandleZeroOrMinusOneIsInvalid(ownsHandle: true)
{
    public static TurboJpegHandle Decompressor()
    {
        TurboJpegHandle decompressor = Checked(TurboJpeg.InitDecompress());
        if (TurboJpeg.HasSet)
        {
            // From 3.1 on it keeps colour profiles otherwise, which can be nearly all of a file, in memory that nobody knows of. 3.0 does not know the parameter.
            _ = TurboJpeg.Set(decompressor, TurboJpeg.SaveMarkers, 0);
        }

        return decompressor;
    }

    public static TurboJpegHandle Compressor() => Checked(TurboJpeg.InitCompress());

    /// <summary>Throws what libjpeg-turbo has to say when <paramref name="result"/> is not success.</summary>
    public void ThrowIfFailed(int result)
    {
        if (result != 0)
        {
            throw CodecLibrary.Failure(Marshal.PtrToStringUTF8(TurboJpeg.ErrorText(this)) ?? "libjpeg-turbo failed.");
        }
    }

    protected override bool ReleaseHandle() => TurboJpeg.Destroy(handle) == 0;

    private static TurboJpegHandle Checked(TurboJpegHandle handle) =>
        handle.IsInvalid ? throw new OutOfMemoryException("libjpeg-turbo could not be initialized.") : handle;
}
