using System.Globalization;

namespace PixelPool.Benchmarks.Metering;

/// <summary>How the process of a benchmark hands its figures to the one that started it: lines of a name and a value.</summary>
internal sealed class MeterFile : IDisposable
{
    private const string Variable = "PIXELPOOLBENCHMARKS_METER_FILE";

    private readonly string _path;

    private MeterFile(string path) => _path = path;

    /// <summary>Makes a file and lets processes that are started from now on know it.</summary>
    public static MeterFile Create()
    {
        var file = new MeterFile(Path.GetTempFileName());
        Environment.SetEnvironmentVariable(Variable, file._path);
        return file;
    }

    /// <summary>The file of the process that started this one; null when none did.</summary>
    public static MeterFile? Inherited() => Environment.GetEnvironmentVariable(Variable) is { } path ? new MeterFile(path) : null;

    public void Empty() => File.WriteAllText(_path, "");

    public void Append(string name, double value) => File.AppendAllText(_path, FormattableString.Invariant($"{name} {value:R}\n"));

    /// <summary>The last value of each name.</summary>
    public Dictionary<string, double> Read()
    {
        Dictionary<string, double> figures = [];
        foreach (string line in File.ReadLines(_path))
        {
            string[] words = line.Split(' ');
            figures[words[0]] = double.Parse(words[1], CultureInfo.InvariantCulture);
        }

        return figures;
    }

    public void Dispose() => File.Delete(_path);
}
