using System.Diagnostics;
using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;

namespace PixelPool.Measuring;

/// <summary>What figures depend on and has to stand beside them, line by line.</summary>
public static class Machine
{
    /// <summary>The computer, and the version of PixelPool.</summary>
    public static IEnumerable<(string What, string Value)> Describe()
    {
        yield return ("Processor", $"{ProcessorModel()}, {Environment.ProcessorCount} cores usable");
        yield return ("Memory", $"{GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (double)(1L << 30):0.#} GiB usable");
        yield return ("System", $"{RuntimeInformation.OSDescription}, kernel {Kernel()}, {CLibrary()}");
        yield return ("Transparent huge pages", HugePages());
        yield return ("PixelPool", LibraryVersion());
        yield return ("Date", TimeProvider.System.GetUtcNow().ToString("yyyy-MM-dd HH:mm 'UTC'"));
    }

    /// <summary>The process that asks, for figures that it took itself.</summary>
    public static IEnumerable<(string What, string Value)> DescribeProcess()
    {
        yield return (".NET", $"{RuntimeInformation.FrameworkDescription}, {(GCSettings.IsServerGC ? "server" : "workstation")} collector");
        yield return ("Reading the clock", $"{ClockNanoseconds():0} ns, part of every latency");
        yield return ("Command", $"`{CommandLine()}`");
    }

    private static string ProcessorModel() =>
        LinesOf("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) is { } line
            ? line[(line.IndexOf(':') + 1)..].Trim()
            : RuntimeInformation.ProcessArchitecture.ToString();

    private static string Kernel() => LinesOf("/proc/sys/kernel/osrelease").FirstOrDefault($"{Environment.OSVersion.Version}");

    private static string HugePages()
    {
        // For example "always [madvise] never".
        string modes = LinesOf("/sys/kernel/mm/transparent_hugepage/enabled").FirstOrDefault("none");
        int start = modes.IndexOf('[') + 1;
        return start > 0 ? modes[start..modes.IndexOf(']')] : modes;
    }

    private static string CLibrary()
    {
        try
        {
            return $"glibc {Marshal.PtrToStringAnsi(gnu_get_libc_version())}";
        }
        catch (Exception problem) when (problem is DllNotFoundException or EntryPointNotFoundException)
        {
            return "not glibc";
        }
    }

    private static string LibraryVersion() =>
        typeof(PixelAllocator).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;

    private static double ClockNanoseconds()
    {
        var histogram = new LatencyHistogram();
        for (int i = 0; i < 100_000; i++)
        {
            histogram.Record(-Stopwatch.GetTimestamp() + Stopwatch.GetTimestamp());
        }

        return histogram.Percentile(0.5);
    }

    /// <summary>As it was typed. Of folders elsewhere on the machine only the name is anybody's business.</summary>
    private static string CommandLine() => string.Join(' ', Environment.GetCommandLineArgs().Skip(1)
        .Select(argument => Path.IsPathRooted(argument) ? $"…/{Path.GetFileName(argument)}" : argument)
        .Prepend(Assembly.GetEntryAssembly()!.GetName().Name!));

    private static string[] LinesOf(string path) => File.Exists(path) ? File.ReadAllLines(path) : [];

    [DllImport("libc")]
    private static extern nint gnu_get_libc_version();
}
