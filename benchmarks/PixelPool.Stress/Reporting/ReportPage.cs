using System.Text;
using PixelPool.Measuring;

namespace PixelPool.Stress.Reporting;

/// <summary>A scenario's page: what was done, on which machine, what came out. Tables are printed too.</summary>
internal sealed class ReportPage
{
    private readonly StringBuilder _text = new();

    public ReportPage(string title, string introduction)
    {
        _text.AppendLine($"# {title}").AppendLine().AppendLine(introduction).AppendLine();
        foreach ((string what, string value) in Machine.Describe().Concat(Machine.DescribeProcess()))
        {
            _text.AppendLine($"- {what}: {value}");
        }
    }

    public void AddHeading(string heading)
    {
        Console.WriteLine($"\n{heading}");
        _text.AppendLine().AppendLine($"## {heading}");
    }

    public void AddText(string text) => _text.AppendLine().AppendLine(text);

    public void AddTable(ReportTable table)
    {
        Console.Write($"\n{table}");
        _text.AppendLine().Append(table);
    }

    /// <param name="fileName">Of a file beside the page.</param>
    public void AddImage(string alternative, string fileName) => _text.AppendLine().AppendLine($"![{alternative}]({fileName})");

    public void Save(string path)
    {
        File.WriteAllText(path, _text.ToString());
        Console.WriteLine($"\n{path}");
    }
}
