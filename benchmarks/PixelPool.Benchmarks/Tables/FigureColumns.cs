using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using PixelPool.Benchmarks.Metering;

namespace PixelPool.Benchmarks.Tables;

/// <summary>The columns of every table: parameters, who, time, ratio, memory.</summary>
internal sealed class FigureColumns : IColumnProvider
{
    public IEnumerable<IColumn> GetColumns(Summary summary)
    {
        foreach (string parameter in summary.BenchmarksCases.SelectMany(each => each.Parameters.Items).Select(item => item.Name).Distinct())
        {
            yield return new FigureColumn(parameter, "Parameter", ColumnCategory.Params, report => RowText.Parameter(report, parameter));
        }

        yield return new FigureColumn("Method", "What is measured", ColumnCategory.Job, RowText.Method);
        yield return new FigureColumn("Mean", "Time per operation", ColumnCategory.Statistics, RowText.Mean);
        if (summary.BenchmarksCases.Any(each => each.Descriptor.Baseline))
        {
            const string Legend = "Time compared with the row whose ratio is 1";
            yield return new FigureColumn("Ratio", Legend, ColumnCategory.Baseline, report => RowText.Ratio(summary, report));
        }

        if (summary.BenchmarksCases.Any(each => PageAttribute.Of(each.Descriptor.Type).HasThroughput))
        {
            const string Legend = "Operations of all threads together";
            yield return new FigureColumn("Per second", Legend, ColumnCategory.Statistics, RowText.Throughput);
        }

        foreach (Figure figure in Figure.All)
        {
            yield return new FigureColumn(figure.DisplayName, figure.Legend, ColumnCategory.Metric, report => RowText.Of(report, figure));
        }
    }
}
