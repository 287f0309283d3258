using System.Runtime.InteropServices;

namespace PixelPool.Tests.Documentation;

/// <summary>Stands for the bitmap of a native library in <c>docs/native.md</c>: it keeps pixels, and releases them when it is deleted, as Skia's does.</summary>
internal sealed unsafe class NativeBitmap : IDisposable
{
    private nint _pixels;
    private nint _release;
    private nint _context;

    /// <summary>Takes pixels with a row of at least a pixel.</summary>
    public bool InstallPixels(nint pixels, int width, int height, int rowBytes, nint release, nint context)
    {
        if (rowBytes < width * sizeof(uint) || height < 1)
        {
            return false;
        }

        (_pixels, _release, _context) = (pixels, release, context);
        return true;
    }

    public uint FirstPixel => (uint)Marshal.ReadInt32(_pixels);

    public void Dispose()
    {
        if (_release != 0)
        {
            ((delegate* unmanaged[Cdecl]<nint, nint, void>)_release)(_pixels, _context);
        }
    }
}
