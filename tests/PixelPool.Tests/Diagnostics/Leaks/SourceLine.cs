using System.Runtime.CompilerServices;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>Where a test stands, as a report tells it.</summary>
internal static class SourceLine
{
    /// <summary>This method, file and line: to be called on the line that rents.</summary>
    public static string Here(Type type, [CallerMemberName] string member = "", [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        $"{type.FullName}.{member} in {file}:line {line}";

    /// <summary>The number of the line before the one that calls.</summary>
    public static int Before([CallerLineNumber] int line = 0) => line - 1;
}
