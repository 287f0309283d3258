using System.Runtime.InteropServices;
using System.Text;
using PixelPool.Measuring;
using ThumbnailService.Load.Watching;

namespace ThumbnailService.Load.Reporting;

/// <summary>The page about the runs: what was done, what came out, and what the figures mean.</summary>
internal static class ReportPage
{
    private const string ChartName = "memory.svg";

    /// <param name="runs">Those in the limited container, and those without a limit.</param>
    /// <param name="folder">Gets README.md and the chart.</param>
    /// <param name="command">What the user typed.</param>
    /// <returns>The exit code: 1 when the first run, the one with a budget, did not serve every request.</returns>
    public static int Write(IReadOnlyList<RunFigures> runs, string folder, string command)
    {
        RunFigures[] limited = [.. runs.Where(run => run.LimitBytes is not null)];
        RunFigures[] unlimited = [.. runs.Where(run => run.LimitBytes is null)];
        long limitBytes = limited[0].LimitBytes!.Value;
        string limit = $"{limitBytes >> 20} MiB";

        Directory.CreateDirectory(folder);
        MemoryChart.Save(Path.Combine(folder, ChartName), limited, limitBytes);
        string path = Path.Combine(folder, "README.md");
        File.WriteAllText(path, Page(limited, unlimited, limit, command));
        Console.WriteLine($"in {limit}:\n{LimitedTable(limited)}");
        Console.WriteLine($"without a limit:\n{UnlimitedTable(unlimited)}");
        Console.WriteLine(path);
        return limited[0].Served == limited[0].Requests ? 0 : 1;
    }

    private static string Page(RunFigures[] limited, RunFigures[] unlimited, string limit, string command)
    {
        RunFigures budget = limited[0];
        var page = new StringBuilder();
        page.AppendLine(
            $"""
            # A thumbnail service in {limit}

            [samples/ThumbnailService](../../samples/ThumbnailService) takes JPEG files and returns thumbnails. Here it runs in a control group with {limit},
            as in a container of that size. {budget.Parallelism} clients each send one photo after the other. There are {budget.Photos}. A pixel takes
            3 bytes, and in a progressive file about 3 more while it is decoded: with {budget.Parallelism} photos at once, more than {limit}.

            This page was written by the script that ran it:

            ```
            {command}
            ```

            ![Memory over time of the three services, and how many of their requests were served and failed]({ChartName})

            """);
        page.Append(LimitedTable(limited));
        page.AppendLine(
            $"""

            - *Served* are those whose thumbnail came and was, byte for byte, the one that came for the same photo before. *Latency* is that of served requests,
              from sending the photo to having the thumbnail; with a budget most of it is waiting for memory that other requests have.
            - *Charged* is what the kernel compares with the limit: memory of the process, and page cache and buffers of the kernel that it caused. *Resident*
              is what the process has in memory; it can be more than what is charged, because the code of .NET is in the page cache already, charged to whoever
              read it first.
            - *Killed* says when the kernel ended the service, counted from the first request, at most {MemoryWatch.Period.TotalMilliseconds:0} ms too late. The cross in the
              picture stands at the same time.
            - *Managed arrays* need not end with a kill: .NET gives its heap three quarters of the container{HeapLimit(limited)}, and what does not fit ends
              in an `OutOfMemoryException`, for the client in a `503`. Native memory, as that of libjpeg-turbo, is not in that account.
            """);
        page.AppendLine();
        foreach (RunFigures run in limited.Where(run => run.Failed > 0))
        {
            page.AppendLine($"{run.Title}, what failed: {run.FailureText}; never sent: {run.Requests - run.Served - run.Failed}.").AppendLine();
        }

        page.AppendLine("## Without a limit").AppendLine();
        page.AppendLine("What the same services take when nobody stops them, for the same number of clients:").AppendLine();
        page.Append(UnlimitedTable(unlimited));
        page.AppendLine().AppendLine("## How it is done").AppendLine();
        page.AppendLine(
            """
            1. The service reads the beginning of the body until it knows width, height and whether the file is progressive. The rest of the body waits in the
               client: nobody reads it, so it cannot be sent.
            2. It adds up what the request will need at most: the file, the pixels, what libjpeg-turbo takes, and what resizing takes.
            3. `await allocator.ReserveScopeAsync(bytes, context.RequestAborted)` charges all of it to the budget at once, or waits for its turn. A
               request that took some and waited for the rest could wait for another one that does the same, forever.
            4. Only then the body is read.
            5. `scope.ChargeExternal(bytes)` tells the pool what libjpeg-turbo takes beside it: idle blocks go back to the system until all of it fits into the budget.
               Without it, a full pool and the decoders' memory together went over the limit.
            6. The scope returns everything, also when the file is broken or the client went away.

            The budget is that of `PixelAllocatorOptions.ForContainer()`: the container's limit, less room for the rest of the process.
            """);
        page.AppendLine().AppendLine("## Where it was measured").AppendLine();
        foreach ((string what, string value) in Machine.Describe())
        {
            page.AppendLine($"- {what}: {value}");
        }

        page.AppendLine($"- .NET: {RuntimeInformation.FrameworkDescription}; the service with ASP.NET Core's defaults, which are the server collector's");
        page.AppendLine($"- Control groups: version {budget.GroupVersion}, swap not allowed");
        return page.ToString();
    }

    /// <summary>Where the service with managed arrays said it.</summary>
    private static string HeapLimit(RunFigures[] runs) =>
        runs.Select(run => run.ManagedHeapLimitBytes).FirstOrDefault(bytes => bytes is not null) is { } limit ? $", here {Figures.Mebibytes(limit)} MiB" : string.Empty;

    private static ReportTable LimitedTable(RunFigures[] runs)
    {
        var table = new ReportTable(
            "Memory", "served", "latency p50", "latency p99", "megapixels/s", "peak charged, MiB", "peak resident, MiB", "killed");
        foreach (RunFigures run in runs)
        {
            table.Add(
                run.Title,
                $"{run.Served} of {run.Requests}",
                Latency(run, 0.5),
                Latency(run, 0.99),
                Rate(run),
                Figures.Mebibytes(run.PeakGroupBytes),
                Figures.Mebibytes(run.PeakResidentBytes),
                run.KillText ?? "no");
        }

        return table;
    }

    private static ReportTable UnlimitedTable(RunFigures[] runs)
    {
        var table = new ReportTable("Memory", "served", "latency p50", "latency p99", "megapixels/s", "peak charged, MiB");
        foreach (RunFigures run in runs)
        {
            table.Add(
                run.Title, $"{run.Served} of {run.Requests}", Latency(run, 0.5), Latency(run, 0.99), Rate(run), Figures.Mebibytes(run.PeakGroupBytes));
        }

        return table;
    }

    private static string Latency(RunFigures run, double share) => run.Served == 0 ? "–" : Figures.Nanoseconds(run.Percentile(share) * 1e9);

    private static string Rate(RunFigures run) => run.Served == 0 ? "–" : $"{run.ServedMegapixels / run.Seconds:0}";
}
