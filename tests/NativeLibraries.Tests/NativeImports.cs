using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Imaging.Codecs;

namespace NativeLibraries.Tests;

/// <summary>The imports of this assembly find what <see cref="CodecLibrary"/> found.</summary>
internal static class NativeImports
{
#pragma warning disable CA2255 // a program of tests has no other place that runs before all of them
    [ModuleInitializer]
    internal static void Resolve() =>
        NativeLibrary.SetDllImportResolver(typeof(NativeImports).Assembly, static (importName, _, _) => CodecLibrary.Find(importName));
#pragma warning restore CA2255

    /// <summary>Skips a test of a library that is not on this computer, and says so.</summary>
    public static void Need(CodecLibrary library) =>
        Assert.SkipUnless(library.IsAvailable, $"{library.Name} was not found on this computer. Its packages: {library.Packages}.");
}
