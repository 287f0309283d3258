using System.Collections.Immutable;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using PixelPool.Measuring;

namespace PixelPool.Benchmarks.Tables;

/// <summary>Rows in the order of the source: by parameters, then by method, then by the allocator that was preloaded.</summary>
internal sealed class DeclaredOrder : IOrderer
{
    public bool SeparateLogicalGroups => true;

    public IEnumerable<BenchmarkCase> GetExecutionOrder(
        ImmutableArray<BenchmarkCase> benchmarksCase, IEnumerable<BenchmarkLogicalGroupRule>? order = null) => Sorted(benchmarksCase);

    public IEnumerable<BenchmarkCase> GetSummaryOrder(ImmutableArray<BenchmarkCase> benchmarksCases, Summary summary) => Sorted(benchmarksCases);

    public string? GetHighlightGroupKey(BenchmarkCase benchmarkCase) => null;

    public string GetLogicalGroupKey(ImmutableArray<BenchmarkCase> allBenchmarksCases, BenchmarkCase benchmarkCase) =>
        benchmarkCase.Parameters.ValueInfo;

    public IEnumerable<IGrouping<string, BenchmarkCase>> GetLogicalGroupOrder(
        IEnumerable<IGrouping<string, BenchmarkCase>> logicalGroups, IEnumerable<BenchmarkLogicalGroupRule>? order = null) => logicalGroups;

    // Groups come in the order of their first case.
    private static IEnumerable<BenchmarkCase> Sorted(ImmutableArray<BenchmarkCase> cases) =>
        from parameters in cases.GroupBy(each => each.Parameters.ValueInfo)
        from method in parameters.GroupBy(each => each.Descriptor)
        from each in method.OrderBy(each => each.Job.Id != PreloadedAllocator.SystemName).ThenBy(each => each.Job.Id, StringComparer.Ordinal)
        select each;
}
