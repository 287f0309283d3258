using System.Text;
using PixelPool.Measuring;
using PixelPool.Nodes.Lists;

namespace PixelPool.Nodes.Reporting;

/// <summary>Runs everything and writes the page.</summary>
internal sealed class ListPage(int passes)
{
    private static readonly int[] s_threads = [1, 2, 4, 8];

    private readonly StringBuilder _text = new();

    /// <param name="path">The page.</param>
    /// <param name="command">How people start this.</param>
    /// <param name="note">What else ran on the machine; empty: nothing.</param>
    public void Write(string path, string command, string note)
    {
        _text.AppendLine("# Nodes of a list").AppendLine().AppendLine(
            $"""
            A singly linked list of {ListJob.Nodes / 1_000_000} million nodes of 32 bytes on each thread: inserted, iterated, freed. `LinkedList<int>` has nodes of 48 bytes. With `Free` all threads use one allocator and
            free their nodes one by one, as with `NativeMemory`; with `Clear` each has an allocator of its own and frees all nodes at once. Every row is a process, which does everything {passes} times. In the first
            pass memory comes from the system; the other columns are the best of the later ones. Each step ends when the last thread has done it. *To NativeMemory* says how many times as fast the total is.
            """).AppendLine();
        foreach ((string what, string value) in Machine.Describe().Concat(Machine.DescribeProcess().Where(static line => line.What is ".NET")))
        {
            _text.AppendLine($"- {what}: {value}");
        }

        _text.AppendLine($"- Command: `{command}`");
        if (note.Length > 0)
        {
            _text.AppendLine($"- Note: {note}");
        }

        foreach (int threads in s_threads)
        {
            AddTable(threads);

            // What is measured stays, also if somebody ends the run.
            File.WriteAllText(path, _text.ToString());
        }

        Console.WriteLine($"\n{path}");
    }

    private void AddTable(int threads)
    {
        (Row Row, ListResult Result)[] results = [.. Row.All().Select(row => (row, WorkProcess.Run(row, threads, passes)))];
        double compared = Best(results.First(static result => result.Row.Name == Row.Compared).Result, static pass => pass.Total);
        var table = new ReportTable("", "insert", "iterate", "free", "total", "to NativeMemory", "first pass", "peak, MiB");
        foreach ((Row row, ListResult result) in results)
        {
            double total = Best(result, static pass => pass.Total);
            table.Add(
                row.Name,
                Figures.Nanoseconds(Best(result, static pass => pass.Insert)),
                Figures.Nanoseconds(Best(result, static pass => pass.Iterate)),
                Figures.Nanoseconds(Best(result, static pass => pass.Clear)),
                Figures.Nanoseconds(total),
                Figures.Ratio(compared / total),
                Figures.Nanoseconds(result.Passes[0].Total),
                Figures.Mebibytes(result.PeakBytes));
        }

        string heading = threads == 1 ? "1 thread" : $"{threads} threads";
        Console.Write($"\n{heading}\n\n{table}");
        _text.AppendLine().AppendLine($"## {heading}").AppendLine().Append(table);
    }

    private static double Best(ListResult result, Func<Pass, double> figure) => result.Passes.Skip(1).Min(figure);
}
