using System.Reflection;
using System.Runtime.InteropServices;

namespace LoadResizeSave.Codecs.Jpeg;

/// <summary>Finds libjpeg-turbo under the names that distributions, Homebrew and its Windows installer give it.</summary>
internal static class TurboJpegLibrary
{
    public const string Name = "turbojpeg";

    private static readonly string[] s_fileNames =
    [
        "libturbojpeg.so.0",
        "libturbojpeg.so",
        "turbojpeg.dll",
        "libturbojpeg.dll",
        "libturbojpeg.dylib",
        "/opt/homebrew/opt/jpeg-turbo/lib/libturbojpeg.dylib",
        "/usr/local/opt/jpeg-turbo/lib/libturbojpeg.dylib",
    ];

    private static readonly nint s_library = Load();

    public static bool IsAvailable => s_library != 0;

    private static nint Load()
    {
        foreach (string fileName in s_fileNames)
        {
            if (NativeLibrary.TryLoad(fileName, typeof(TurboJpegLibrary).Assembly, searchPath: null, out nint library))
            {
                NativeLibrary.SetDllImportResolver(typeof(TurboJpegLibrary).Assembly, Resolve);
                return library;
            }
        }

        return 0;
    }

    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? searchPath) => name == Name ? s_library : 0;
}
