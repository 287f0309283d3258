using Imaging.Codecs;
using Imaging.Photos.TestPhotos;
using Spectre.Console;

namespace LoadResizeSave.Reporting;

/// <summary>What is printed when the work is done.</summary>
internal static class RunReport
{
    private const string Interrupted = "interrupted";

    /// <summary>Before the first one is painted: what, how much, where it stays, and how to go without.</summary>
    public static void PrintTestPhotos(IReadOnlyCollection<TestPhoto> missing)
    {
        Console.WriteLine("There is no --input: test photos are painted first. They are kept, so this is done once.");
        PrintLine("to be painted", $"{Count.Of(missing.Count, "test photo")}, {missing.Sum(photo => photo.PixelCount) / 1e6:0} megapixels, "
            + $"about {ByteSize.Text(missing.Sum(photo => photo.RoughFileBytes))} of files");
        PrintLine("kept in", TestPhotoSet.Folder);
        PrintLine("to remove them", "delete that folder");
        PrintLine("to do without", "name a folder of your own with --input");
    }

    public static void PrintInterruption(string how) => PrintLine(Interrupted, how);

    /// <returns>False when the chart or the figures could not be written, which was said then.</returns>
    public static bool Print(RunResult result)
    {
        foreach ((string file, string problem) in result.Totals.Skipped)
        {
            AnsiConsole.MarkupLineInterpolated($"[yellow]skipped[/] {file}: {problem}");
        }

        if (Console.IsOutputRedirected)
        {
            foreach ((string what, string howMuch) in Rows(result))
            {
                PrintLine(what, howMuch);
            }
        }
        else
        {
            PrintTable(Rows(result));
        }

        if (result.Settings.Input is null)
        {
            PrintLine("test photos", TestPhotoSet.Folder);
        }

        PrintLine("thumbnails", result.Settings.Output);
        bool isSaved = TrySave("memory chart", result.Settings.ChartPath, path => SaveChart(result, path));
        if (result.Settings.Figures is { } figures)
        {
            isSaved &= TrySave("figures", figures, RunFigures.Of(result).Save);
        }

        if (result.Hash is not null)
        {
            PrintLine("sha-256", result.Hash);
        }

        return isSaved;
    }

    /// <summary>A line for each: what does not work without it, where to get it.</summary>
    /// <param name="format">What thumbnails are written as.</param>
    public static void PrintMissingLibraries(IImageCodec format)
    {
        foreach ((CodecLibrary library, IImageCodec codec) in ImageCodecs.Missing)
        {
            AnsiConsole.MarkupLineInterpolated($"[yellow]{library.Name} was not found[/]: {codec.Name.ToUpperInvariant()} files are skipped. It is {library.Packages}.");
        }

        if (!ImageCodecs.Jpeg.IsAvailable)
        {
            AnsiConsole.MarkupLineInterpolated($"Thumbnails are written as {format.Name.ToUpperInvariant()}.");
        }
    }

    public static void PrintError(string problem) => Console.Error.WriteLine(problem);

    private static bool TrySave(string what, string path, Action<string> save)
    {
        try
        {
            save(path);
            PrintLine(what, path);
            return true;
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            PrintError($"{path} could not be written. {problem.Message}");
            return false;
        }
    }

    private static void SaveChart(RunResult result, string path)
    {
        using StreamWriter file = File.CreateText(path);
        result.Memory.WriteSvg(
            file,
            $"Memory while making {Count.Of(result.Totals.Thumbnails, "thumbnail")} with {result.Settings.Allocator}",
            $"{result.Totals.Pixels / 1e6:#,0.0} megapixels of photos, {result.Settings.Parallelism} at a time");
    }

    private static void PrintTable(IEnumerable<(string What, string HowMuch)> rows)
    {
        var table = new Table { Border = TableBorder.Rounded, ShowHeaders = false };
        table.AddColumns(new TableColumn("what").NoWrap(), new TableColumn("how much"));
        foreach ((string what, string howMuch) in rows)
        {
            table.AddRow(new Text(what, Color.Grey), new Text(howMuch));
        }

        AnsiConsole.Write(table);
    }

    /// <summary>Without Spectre.Console, which would break long paths into lines.</summary>
    private static void PrintLine(string what, string howMuch) => Console.WriteLine($"{what,-16} {howMuch}");

    private static IEnumerable<(string What, string HowMuch)> Rows(RunResult result)
    {
        (var settings, var totals) = (result.Settings, result.Totals);
        if (result.Interruption is { } how)
        {
            yield return (Interrupted, how);
        }

        yield return ("photos", $"{totals.Thumbnails} done, {Count.Of(totals.Skipped.Count, "file")} skipped");
        yield return ("speed", $"{result.MegapixelsPerSecond:0.0} MP/s: "
            + $"{totals.Pixels / 1e6:0.0} megapixels in {result.Elapsed.TotalSeconds:0.00} s");
        yield return ("work", $"{Share(totals.Times.Decode)} decode, "
            + $"{Share(totals.Times.Resize)} resize, {Share(totals.Times.Encode)} encode");
        yield return ("allocator", $"{settings.Allocator.ToString().ToLowerInvariant()}, {settings.Parallelism} at a time");
        yield return ("resident memory", string.Join(", ", result.Memory.Moments
            .Select(moment => $"{moment.Name} {ByteSize.Text(moment.Sample.ResidentBytes)}")
            .Prepend($"peak {ByteSize.Text(result.PeakResident)}")));
        yield return ("managed heap", $"{ByteSize.Text(result.Managed.AllocatedBytes)} allocated; "
            + $"collections: {result.Managed.Gen0} gen0, {result.Managed.Gen1} gen1, {result.Managed.Gen2} gen2");

        if (result.Pool is { } pool)
        {
            yield return ("rents", $"{pool.Rents}: {Count.Of(pool.Hits, "hit")}, {Count.Of(pool.Misses, "miss", "misses")}, "
                + $"{pool.SmallRents} small, {pool.UnpooledRents} unpooled");
            yield return ("held", $"{ByteSize.Text(pool.PeakHeldBytes)} at the peak");
            yield return ("rented", $"{ByteSize.Text(pool.RentedBytes)} at the end");
            yield return ("trimmed", $"{ByteSize.Text(pool.TrimmedBytes)}; {ByteSize.Text(pool.IdleBytes)} still idle");
            yield return ("leaked", $"{Count.Of(pool.LeakedCount, "rent")}, {ByteSize.Text(pool.LeakedBytes)}, brought back by finalizers");
        }

        string Share(TimeSpan part) => totals.Times.Total > TimeSpan.Zero ? $"{part / totals.Times.Total:0 %}" : "0 %";
    }
}
