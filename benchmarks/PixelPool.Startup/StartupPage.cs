using System.Diagnostics;
using System.Globalization;
using System.Text;
using PixelPool.Measuring;

namespace PixelPool.Startup;

/// <summary>Runs the programs, each many times and in turn with the others, and writes the page.</summary>
internal static class StartupPage
{
    /// <param name="path">The page.</param>
    /// <param name="runs">How often each program runs.</param>
    /// <param name="command">How people start this.</param>
    /// <param name="note">What else ran on the machine; empty: nothing.</param>
    /// <param name="folders">Where this program lies: a table for each. The last part of the name is the heading.</param>
    public static void Write(string path, int runs, string command, string note, string[] folders)
    {
        var text = new StringBuilder("# A program that needs one image\n\n");
        text.AppendLine(
            $"""
            A process gets memory for an image of 1920 × 1080 pixels of 4 bytes, fills it, gives it back, and ends. The first row does nothing of that. Every figure is the median of {runs} processes, which take turns. Processor time is that of the
            process until the memory is given back, all its threads; the clock is that of whoever started it, until it has ended. Methods are those that were compiled in the process. What is resident was
            looked at after `Trim`.
            """).AppendLine();
        foreach ((string what, string value) in Machine.Describe().Concat(Machine.DescribeProcess().Where(static line => line.What is ".NET")))
        {
            text.AppendLine($"- {what}: {value}");
        }

        text.AppendLine($"- Command: `{command}`");
        if (note.Length > 0)
        {
            text.AppendLine($"- Note: {note}");
        }

        foreach (string folder in folders)
        {
            text.AppendLine().AppendLine($"## {Path.GetFileName(folder)}").AppendLine().Append(Measure(folder, runs));
        }

        File.WriteAllText(path, text.ToString());
        Console.WriteLine(text);
    }

    private static ReportTable Measure(string folder, int runs)
    {
        Dictionary<string, List<double[]>> figures = ShortProgram.Contenders.ToDictionary(static contender => contender, static _ => new List<double[]>());

        // The first round reads the files.
        for (int run = 0; run <= runs; run++)
        {
            foreach (string contender in ShortProgram.Contenders)
            {
                double[] result = RunOnce(folder, contender);
                if (run > 0)
                {
                    figures[contender].Add(result);
                }
            }
        }

        var table = new ReportTable("", "processor, ms", "clock, ms", "compiled methods", "resident, MiB");
        foreach (string contender in ShortProgram.Contenders)
        {
            double[] medians = [.. Enumerable.Range(0, 4).Select(i => Quartiles.Of(figures[contender].Select(figure => figure[i])).Median)];
            table.Add(contender, $"{medians[0]:0}", $"{medians[3]:0}", $"{medians[1]:0}", Figures.Mebibytes((long)medians[2]));
        }

        return table;
    }

    private static double[] RunOnce(string folder, string contender)
    {
        long began = Stopwatch.GetTimestamp();
        using Process process = Process.Start(new ProcessStartInfo(Path.Combine(folder, "PixelPool.Startup"), ["work", contender]) { RedirectStandardOutput = true })!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        double clock = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        return process.ExitCode == 0
            ? [.. output.Split(' ').Select(static figure => double.Parse(figure, CultureInfo.InvariantCulture)), clock]
            : throw new InvalidOperationException($"{contender} ended with {process.ExitCode}.\n{output}");
    }
}
