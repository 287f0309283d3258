using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace PixelPool.Benchmarks.Tables;

/// <summary>A column whose cells each choose their own unit, and that is left out where no row has a figure.</summary>
internal sealed class FigureColumn(string name, string legend, ColumnCategory category, Func<BenchmarkReport, string?> text) : IColumn
{
    private const string NoFigure = "–";

    public string Id => $"{nameof(FigureColumn)}.{name}";

    public string ColumnName => name;

    public bool AlwaysShow => true;

    public ColumnCategory Category => category;

    public int PriorityInCategory => 0;

    public bool IsNumeric => category is not (ColumnCategory.Job or ColumnCategory.Params);

    public UnitType UnitType => UnitType.Dimensionless;

    public string Legend => legend;

    public bool IsAvailable(Summary summary) => summary.Reports.Any(report => text(report) is not null);

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase) =>
        (summary[benchmarkCase] is { } report ? text(report) : null) ?? NoFigure;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);
}
