using System.Text;
using ImageSharp.Comparison.Work;
using PixelPool.Measuring;

namespace ImageSharp.Comparison.Reporting;

/// <summary>Runs everything and writes the page.</summary>
/// <param name="photos">The folder of photos.</param>
/// <param name="rounds">How often everything is done.</param>
internal sealed class ComparisonPage(string photos, int rounds)
{
    private readonly StringBuilder _text = new();

    /// <param name="path">The page.</param>
    /// <param name="programs">This program, once for each version of ImageSharp.</param>
    public void Write(string path, string[] programs)
    {
        _text.AppendLine("# ImageSharp").AppendLine().AppendLine(
            $"""
            ImageSharp with its own allocator, with its own allocator without a pool, and with PixelPool behind it (`PixelPool.ImageSharp`), all with their defaults. Each ran in
            {rounds} processes; every round begins with another contender. Times are the best of the rounds, because whatever else runs on the machine only adds to them; memory is their median. *Peak* and *after release* are resident memory of the whole process, code and runtime
            included; released is: everything disposed, `ReleaseRetainedResources`, collections. *Spread* is the distance from the best round to
            the median one: what is smaller means nothing. *Processor time* is that of all cores: what else runs on the machine counts less in it.
            """).AppendLine();
        foreach ((string what, string value) in Machine.Describe().Concat(Machine.DescribeProcess().Where(static line => line.What != "Command")))
        {
            _text.AppendLine($"- {what}: {value}");
        }

        _text.AppendLine($"- Command: `benchmarks/imagesharp --rounds {rounds}`");
        _text.AppendLine($"- Photos: {Directory.EnumerateFiles(photos, "*.jpg").Count()}, decoded, resized to 150 pixels, encoded as JPEG; a second time after a first pass over all of them");
        foreach (string program in programs)
        {
            AddThumbnails(path, program, JobKind.Thumbnails, "thumbnails, one thread");
            AddThumbnails(path, program, JobKind.ThumbnailsOnEightThreads, "thumbnails, eight threads");
            AddOperations(path, program);
        }

        Console.WriteLine($"\n{path}");
    }

    private void AddThumbnails(string path, string program, JobKind kind, string title)
    {
        var results = Rounds.Run(program, kind, photos, rounds);
        var table = new ReportTable("", "time", "to default", "spread", "processor time", "to default", "first pass, processor time", "peak, MiB", "after release, MiB", "managed, MiB", "collections");
        foreach (Contender contender in Enum.GetValues<Contender>())
        {
            double time = results.Best(contender, Time);
            table.Add(
                NameOf(contender),
                Figures.Nanoseconds(time * 1e6),
                Figures.Ratio(time / results.Best(Contender.Default, Time)),
                $"{results.Spread(contender, Time):0 %}",
                Figures.Nanoseconds(results.Best(contender, Processor) * 1e6),
                Figures.Ratio(results.Best(contender, Processor) / results.Best(Contender.Default, Processor)),
                Figures.Nanoseconds(results.Best(contender, static result => result.Costs[ThumbnailWork.FirstPass].ProcessorMilliseconds) * 1e6),
                Figures.Mebibytes((long)results.Median(contender, static result => result.PeakBytes)),
                Figures.Mebibytes((long)results.Median(contender, static result => result.ReleasedBytes)),
                Figures.Mebibytes((long)results.Median(contender, static result => result.ManagedBytes)),
                $"{results.Median(contender, static result => result.Collections):0}");
        }

        Add(path, results, title, table);

        static double Time(JobResult result) => result.Costs[ThumbnailWork.SecondPass].Milliseconds;
        static double Processor(JobResult result) => result.Costs[ThumbnailWork.SecondPass].ProcessorMilliseconds;
    }

    private void AddOperations(string path, string program)
    {
        var results = Rounds.Run(program, JobKind.Operations, photos, rounds);
        var table = new ReportTable("6 megapixels, best of ten in each process", "default", "no pool", "PixelPool", "to default", "spread", "processor time, to default");
        foreach (string name in results.Names)
        {
            table.Add(
                name,
                Figures.Nanoseconds(results.Best(Contender.Default, Time) * 1e6),
                Figures.Nanoseconds(results.Best(Contender.NoPool, Time) * 1e6),
                Figures.Nanoseconds(results.Best(Contender.PixelPool, Time) * 1e6),
                Figures.Ratio(results.Best(Contender.PixelPool, Time) / results.Best(Contender.Default, Time)),
                $"{results.Spread(Contender.PixelPool, Time):0 %} and {results.Spread(Contender.Default, Time):0 %}",
                Figures.Ratio(results.Best(Contender.PixelPool, Processor) / results.Best(Contender.Default, Processor)));

            double Time(JobResult result) => result.Costs[name].Milliseconds;
            double Processor(JobResult result) => result.Costs[name].ProcessorMilliseconds;
        }

        AddRow(static result => result.PeakBytes, "peak, MiB");
        AddRow(static result => result.ReleasedBytes, "after release, MiB");
        AddRow(static result => result.ManagedBytes, "managed, MiB");
        Add(path, results, "operations", table);

        void AddRow(Func<JobResult, double> figure, string name) => table.Add(
            name,
            Figures.Mebibytes((long)results.Median(Contender.Default, figure)),
            Figures.Mebibytes((long)results.Median(Contender.NoPool, figure)),
            Figures.Mebibytes((long)results.Median(Contender.PixelPool, figure)),
            Figures.Ratio(results.Median(Contender.PixelPool, figure) / results.Median(Contender.Default, figure)),
            string.Empty,
            string.Empty);
    }

    private void Add(string path, Rounds results, string title, ReportTable table)
    {
        string heading = $"ImageSharp {results.ImageSharp}: {title}";
        Console.Write($"\n{heading}\n\n{table}");
        _text.AppendLine().AppendLine($"## {heading}").AppendLine().Append(table).AppendLine()
            .AppendLine(results.AreAlike ? "All results are the same, byte for byte." : "**The results are not the same.**");

        // What is measured stays, also if somebody ends the run.
        File.WriteAllText(path, _text.ToString());
    }

    private static string NameOf(Contender contender) => contender switch
    {
        Contender.Default => "default",
        Contender.NoPool => "no pool",
        _ => "PixelPool",
    };
}
