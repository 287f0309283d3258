using System.Globalization;
using System.Text;

namespace LoadResizeSave.Reporting.Chart;

/// <summary>The <c>d</c> attribute of lines and areas over the samples.</summary>
internal static class SvgPath
{
    public static string Line(IReadOnlyList<MemorySample> samples, Axis seconds, Axis mebibytes, Func<MemorySample, long> bytes)
    {
        var path = new StringBuilder();
        foreach (MemorySample sample in samples)
        {
            Append(path, path.Length == 0 ? 'M' : 'L', sample, seconds, mebibytes, bytes);
        }

        return path.ToString();
    }

    /// <summary>Along the upper edge to the right, and back along the lower one.</summary>
    public static string Area(
        IReadOnlyList<MemorySample> samples, Axis seconds, Axis mebibytes, Func<MemorySample, long> upper, Func<MemorySample, long> lower)
    {
        var path = new StringBuilder(Line(samples, seconds, mebibytes, upper));
        foreach (MemorySample sample in samples.Reverse())
        {
            Append(path, 'L', sample, seconds, mebibytes, lower);
        }

        return path.Append('Z').ToString();
    }

    private static void Append(
        StringBuilder path, char command, MemorySample sample, Axis seconds, Axis mebibytes, Func<MemorySample, long> bytes)
    {
        double x = seconds.At(sample.At.TotalSeconds);
        double y = mebibytes.At((double)bytes(sample) / ByteSize.Mebibyte);
        path.Append(CultureInfo.InvariantCulture, $"{command}{x:0.#} {y:0.#}");
    }
}
