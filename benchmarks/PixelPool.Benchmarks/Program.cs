using BenchmarkDotNet.Running;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Running;

namespace PixelPool.Benchmarks;

internal static class Program
{
    /// <summary>
    /// The arguments of BenchmarkDotNet, and <c>--tables FOLDER</c> (write a page per class), <c>--quick</c> (figures that only show that it
    /// runs).
    /// </summary>
    private static int Main(string[] args)
    {
        RunOptions options = RunOptions.Parse(args);
        using MeterFile meter = MeterFile.Create();
        var benchmarks = BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly);
        var summaries = benchmarks.Run(options.Arguments, new ComparisonConfig(options, meter)).ToList();
        return summaries.Any(summary => summary.HasCriticalValidationErrors || summary.Reports.Any(report => !report.Success)) ? 1 : 0;
    }
}
