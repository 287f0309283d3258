using System.Text;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;

namespace PixelPool.Benchmarks.Tables;

/// <summary>
/// Writes one page per class into a folder: heading, how to read it, tables, machine, versions and command. A page is whole or not written.
/// </summary>
internal sealed class PageExporter(string folder) : IExporter
{
    private const string ColumnLegend =
        """
        *Mean*: time per operation. *Ratio*: compared with the row of ratio 1.00 and the same parameters. *Managed*, *Native*: bytes per
        operation, allocated on the heap of the collector, and asked of the system or a native allocator. *Faults*: minor page faults per
        operation. *Resident*, *Peak*: memory of the whole process after the last round, and at its highest. Each row is a process of its own.
        """;

    public string Name => nameof(PageExporter);

    public void ExportToLog(Summary summary, ILogger logger)
    {
    }

    public IEnumerable<string> ExportToFiles(Summary summary, ILogger consoleLogger)
    {
        Type type = summary.BenchmarksCases[0].Descriptor.Type;
        if (summary.Reports.Length != summary.BenchmarksCases.Length || summary.Reports.Any(report => !report.Success))
        {
            consoleLogger.WriteLineError($"{type.Name}: a case failed, its page is not written.");
            return [];
        }

        Directory.CreateDirectory(folder);
        string path = Path.Combine(folder, FileName(type));
        File.WriteAllText(path, Page(type, summary));
        return [path];
    }

    private static string Page(Type type, Summary summary)
    {
        var page = PageAttribute.Of(type);
        string glance = page.Across is null ? "" : $"{PageTables.Across(summary, page.Across)}## All figures\n\n";
        return $"# {page.Title}\n\n{page.Text}\n\n{glance}{PageTables.Full(summary)}\n{ColumnLegend}\n\n{Provenance.Text(type.Name)}\n";
    }

    /// <summary><c>RentReturn</c> is written to <c>rent-return.md</c>.</summary>
    private static string FileName(Type type)
    {
        var name = new StringBuilder();
        foreach (char letter in type.Name)
        {
            name.Append(char.IsUpper(letter) && name.Length > 0 ? "-" : "").Append(char.ToLowerInvariant(letter));
        }

        return name.Append(".md").ToString();
    }
}
