namespace PixelPool.Stress.Reporting;

/// <summary>Every figure there is, for whoever wants to draw it another way. No value has a comma in it: numbers are written the invariant way.</summary>
internal sealed class CsvFile(string headings)
{
    private readonly List<string> _lines = [headings];

    public void Add(string line) => _lines.Add(line);

    public void Save(string path) => File.WriteAllLines(path, _lines);
}
