using System.Text;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using PixelPool.Benchmarks.Metering;

namespace PixelPool.Benchmarks.Tables;

/// <summary>The tables of a page.</summary>
internal static class PageTables
{
    /// <summary>Every figure: a row per case, parameters first.</summary>
    public static string Full(Summary summary)
    {
        SummaryTable.SummaryTableColumn[] columns =
        [
            .. summary.Table.Columns.Where(column => column.NeedToShow)
                .OrderByDescending(column => column.OriginalColumn.Category == ColumnCategory.Params),
        ];
        int leftColumns = columns.Count(column => !column.OriginalColumn.IsNumeric);
        var table = new MarkdownTable([.. columns.Select(column => column.Header)], leftColumns);
        for (int row = 0; row < summary.Table.FullContent.Length; row++)
        {
            table.Add([.. columns.Select(column => column.Content[row])]);
        }

        return table.ToString();
    }

    /// <summary>Times alone, the values of one parameter side by side: a table for each value of the other parameters.</summary>
    public static string Across(Summary summary, string parameter)
    {
        var text = new StringBuilder();
        foreach (IGrouping<string, BenchmarkReport> group in Ordered(summary).GroupBy(report => Others(report, parameter)))
        {
            string[] values = [.. group.Select(report => RowText.Parameter(report, parameter)).Distinct()];
            IEnumerable<string> heads = values.Select(value => parameter == "Size" ? value : $"{parameter} = {value}");
            var table = new MarkdownTable([group.Key, .. heads, Figure.ManagedBytes.DisplayName, Figure.Faults.DisplayName], leftColumns: 1);
            foreach (IGrouping<string, BenchmarkReport> method in group.GroupBy(RowText.Method))
            {
                table.Add([
                    method.Key,
                    .. values.Select(value => method.FirstOrDefault(report => RowText.Parameter(report, parameter) == value)).Select(MeanOrNothing),
                    Range(method, Figure.ManagedBytes),
                    Range(method, Figure.Faults),
                ]);
            }

            text.Append(table).Append('\n');
        }

        return text.ToString();
    }

    private static string MeanOrNothing(BenchmarkReport? report) => report is null ? "" : RowText.Mean(report) ?? "";

    // A method that is not measured with the first parameters still stands where it was declared.
    private static IEnumerable<BenchmarkReport> Ordered(Summary summary) =>
        summary.BenchmarksCases.Select(each => summary[each]).OfType<BenchmarkReport>()
            .OrderBy(report => report.BenchmarkCase.Descriptor.MethodIndex);

    private static string Others(BenchmarkReport report, string parameter) =>
        string.Join(", ", report.BenchmarkCase.Parameters.Items.Where(item => item.Name != parameter).Select(item => item.Value switch
        {
            true => item.Name,
            false => $"Not {item.Name.ToLowerInvariant()}",
            var value => $"{item.Name} {value}",
        }));

    private static string Range(IEnumerable<BenchmarkReport> reports, Figure figure)
    {
        IEnumerable<BenchmarkReport> ordered = reports.OrderBy(report => report.Metrics.TryGetValue(figure.Id, out Metric? metric) ? metric.Value : 0);
        string[] texts = [.. ordered.Select(report => RowText.Of(report, figure) ?? "–")];
        return texts[0] == texts[^1] ? texts[0] : $"{texts[0]} – {texts[^1]}";
    }
}
