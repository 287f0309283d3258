using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace Imaging.Codecs;

/// <summary>A native library that a codec works with. It is not shipped: it is looked for, once, when the codec is first asked for it.</summary>
public sealed class CodecLibrary
{
    /// <summary>What was found, by the name that the imports of this assembly have for it.</summary>
    private static readonly ConcurrentDictionary<string, nint> s_found = new();

    /// <summary>Of libjpeg, libpng and zlib; of libpng; of TurboJPEG.</summary>
    private static readonly string[] s_wordsForNoMemory = ["insufficient memory", "out of memory", "memory allocation failure"];

    static CodecLibrary() => NativeLibrary.SetDllImportResolver(typeof(CodecLibrary).Assembly, static (importName, _, _) => Find(importName));

    /// <param name="importName">What the imports call it.</param>
    /// <param name="name">What people call it.</param>
    /// <param name="packages">Where to get it.</param>
    /// <param name="fileNames">What distributions, Homebrew and installers call its file; the first that is there serves.</param>
    internal CodecLibrary(string importName, string name, string packages, params ReadOnlySpan<string> fileNames)
    {
        Name = name;
        Packages = packages;
        foreach (string fileName in fileNames)
        {
            if (NativeLibrary.TryLoad(fileName, typeof(CodecLibrary).Assembly, searchPath: null, out nint library))
            {
                s_found[importName] = library;
                IsAvailable = true;
                return;
            }
        }
    }

    /// <summary>What people call it, for example "libpng".</summary>
    public string Name { get; }

    /// <summary>Where to get it: the names of its packages, as part of a sentence.</summary>
    public string Packages { get; }

    /// <summary>Whether it was found on this computer.</summary>
    public bool IsAvailable { get; }

    /// <summary>The library that imports have this name for; 0 when it was not found, or not asked for yet.</summary>
    internal static nint Find(string importName) => s_found.GetValueOrDefault(importName);

    /// <summary>What a library says when it gives up, as an exception. Only its words tell too little memory from a broken file.</summary>
    internal static Exception Failure(string message) =>
        s_wordsForNoMemory.Any(words => message.Contains(words, StringComparison.OrdinalIgnoreCase)) ? new OutOfMemoryException(message) : new InvalidDataException(message);

    /// <exception cref="NotSupportedException">It was not found.</exception>
    internal void ThrowIfMissing(string format)
    {
        if (!IsAvailable)
        {
            throw new NotSupportedException($"{format} needs {Name}, which was not found on this computer.");
        }
    }
}
