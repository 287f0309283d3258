using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Csv;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using Perfolizer.Horology;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Tables;
using PixelPool.Measuring;

namespace PixelPool.Benchmarks.Running;

/// <summary>What all benchmarks share: a fresh process per case, one warm-up for all, the figures, the pages.</summary>
internal sealed class ComparisonConfig : ManualConfig
{
    // Code that is half-way through its tiers is twice as slow as it will be: 14 rounds and more bring everything to the last tier.
    private const int WarmupRounds = 14;
    private const int MeasuredRounds = 15;
    private const int RoundMilliseconds = 60;

    public ComparisonConfig(RunOptions options, MeterFile meter)
    {
        AddJob(Rounds(options.IsQuick).WithId(PreloadedAllocator.SystemName));
        foreach (PreloadedAllocator allocator in PreloadedAllocator.Find())
        {
            AddJob(Rounds(options.IsQuick).WithId(allocator.Name).WithEnvironmentVariable("LD_PRELOAD", allocator.LibraryPath));
        }

        AddFilter(new PreloadFilter());
        AddDiagnoser(new MemoryDiagnoser(new MemoryDiagnoserConfig(displayGenColumns: false)), new NativeMemoryDiagnoser(meter));
        AddColumnProvider(new FigureColumns());
        AddExporter(MarkdownExporter.GitHub, CsvExporter.Default, JsonExporter.Full);
        if (options.TablesFolder is not null)
        {
            AddExporter(new PageExporter(options.TablesFolder));
        }

        WithOrderer(new DeclaredOrder());
        AddLogger(ConsoleLogger.Default);
        AddAnalyser(EnvironmentAnalyser.Default);
    }

    private static Job Rounds(bool quick) =>
        Job.Default
            .WithWarmupCount(quick ? 1 : WarmupRounds)
            .WithIterationCount(quick ? 2 : MeasuredRounds)
            .WithIterationTime(TimeInterval.FromMilliseconds(quick ? 20 : RoundMilliseconds))
            // Rounds of one slow operation stay short.
            .WithMinInvokeCount(1)
            .WithUnrollFactor(1)
            // Collections come when the program causes them, as they do elsewhere.
            .WithGcForce(false);
}
