using System.Reflection;
using System.Runtime.InteropServices;
using BenchmarkDotNet.Running;
using CommunityToolkit.HighPerformance.Buffers;

namespace PixelPool.Benchmarks.Tables;

/// <summary>Where figures come from: machine, date, versions and command.</summary>
internal static class Provenance
{
    private const string HugePagesFile = "/sys/kernel/mm/transparent_hugepage/enabled";

    public static string Text(string className) =>
        $"""
        - Machine: {Processor()}, {Environment.ProcessorCount} cores, {Memory()} of memory; {OperatingSystemName()}; transparent huge pages: {HugePages()}
        - Date: {TimeProvider.System.GetUtcNow():yyyy-MM-dd}
        - Versions: {RuntimeInformation.FrameworkDescription}; {Versions()}
        - Command: `benchmarks/run {className}`
        """;

    private static string Memory() => Readable.Bytes(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes);

    private static string OperatingSystemName() => $"{RuntimeInformation.OSDescription}, kernel {Environment.OSVersion.Version}";

    private static string Versions() => string.Join(
        ", ",
        $"PixelPool {Version(typeof(PixelAllocator))}",
        $"BenchmarkDotNet {Version(typeof(BenchmarkRunner))}",
        $"CommunityToolkit.HighPerformance {Version(typeof(MemoryOwner<byte>))}");

    private static string Processor()
    {
        IEnumerable<string> lines = OperatingSystem.IsLinux() ? File.ReadLines("/proc/cpuinfo") : [];
        string? line = lines.FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal));
        return line?[(line.IndexOf(':') + 1)..].Trim() ?? RuntimeInformation.ProcessArchitecture.ToString();
    }

    /// <summary>The file lists the choices, with the one that holds in brackets.</summary>
    private static string HugePages()
    {
        if (!File.Exists(HugePagesFile))
        {
            return "none";
        }

        string choices = File.ReadAllText(HugePagesFile);
        return choices[(choices.IndexOf('[') + 1)..choices.IndexOf(']')];
    }

    private static string Version(Type type)
    {
        string version = type.Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "";
        int commit = version.IndexOf('+');
        return commit < 0 ? version : version[..Math.Min(version.Length, commit + 8)];
    }
}
