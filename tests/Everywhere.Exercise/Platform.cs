using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Everywhere.Exercise;

/// <summary>What kind of process this is.</summary>
internal static class Platform
{
    public static bool IsMono { get; } = Type.GetType("Mono.Runtime") is not null;

#if NET
    public static bool IsAheadOfTime => !RuntimeFeature.IsDynamicCodeSupported;
#else
    public static bool IsAheadOfTime => false;
#endif

    /// <summary>Why threads are not interrupted here: it is documented (<see cref="PixelAllocator"/>). Null where they are.</summary>
    public static string? NoInterrupts => IsAheadOfTime || IsMono ? "it is not supported here" : null;

    public static bool IsLinux => RuntimeInformation.IsOSPlatform(OSPlatform.Linux);

    /// <summary>Whether the library has pages that nobody can touch: on Linux in 64 bits, and on Windows with the builds for .NET.</summary>
#if NET
    public static bool HasGuardedRents => (IsLinux && IntPtr.Size == 8) || OperatingSystem.IsWindows();
#else
    public static bool HasGuardedRents => IsLinux && IntPtr.Size == 8;
#endif

    /// <summary>Bytes of this process that are really in memory; null when the system does not tell.</summary>
    public static long? ResidentBytes()
    {
        if (!IsLinux)
        {
            return Environment.WorkingSet;
        }

        try
        {
            string[] pages = File.ReadAllText("/proc/self/statm").Split(' ');
            return pages.Length > 1 ? long.Parse(pages[1], CultureInfo.InvariantCulture) * Environment.SystemPageSize : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    public static string Describe() =>
        $"{RuntimeInformation.FrameworkDescription}{(IsAheadOfTime ? ", ahead of time" : string.Empty)}; {RuntimeInformation.OSDescription}; "
        + $"{RuntimeInformation.ProcessArchitecture}, {Environment.ProcessorCount} processors; PixelPool for {Library}";

    private static string Library =>
#if NET10_0_OR_GREATER
        ".NET 10";
#elif NET
        ".NET 8";
#else
        ".NET Standard 2.0";
#endif
}
