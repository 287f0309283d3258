using System.Globalization;
using PixelPool.Stress.Reporting;

namespace PixelPool.Stress.SmallMemory;

/// <summary>What the parts of the scenario write into: one page, and one file of figures.</summary>
internal sealed class SmallReport(string folder)
{
    private const string Name = "stress-small";

    private readonly CsvFile _figures = new("part,contender,case,figure,value");

    public ReportPage Page { get; } = new(
        "Small memory",
        """
        Memory of less than a block, beside its peers. *Arrays* and *slabs* are the values of `SmallBufferStrategy`; everything else is left at its default.
        Every contender has a process of its own.
        """);

    /// <param name="extension">With its dot.</param>
    public static string FileName(string extension) => Name + extension;

    public string PathOf(string extension) => Path.Combine(folder, FileName(extension));

    public void AddFigure(string part, SmallContender contender, string @case, string figure, double value) =>
        _figures.Add(string.Create(CultureInfo.InvariantCulture, $"{part},{contender.Name},{@case},{figure},{value:0.###}"));

    public void Save()
    {
        Page.AddText($"All figures are in [{FileName(".csv")}]({FileName(".csv")}).");
        _figures.Save(PathOf(".csv"));
        Page.Save(PathOf(".md"));
    }
}
