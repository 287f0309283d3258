using System.Diagnostics;
using System.Text.Json;
using PixelPool.Nodes.Lists;

namespace PixelPool.Nodes.Reporting;

/// <summary>A job in a process of its own, with its own <c>malloc</c>: what one did to memory must not help or hurt the next.</summary>
internal static class WorkProcess
{
    /// <exception cref="InvalidOperationException">It failed; the message says what it wrote last.</exception>
    public static ListResult Run(Row row, int threads, int passes)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!, ["work", row.Contender.ToString(), $"{threads}", $"{passes}"])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        if (row.Preloaded is { } preloaded)
        {
            start.Environment["LD_PRELOAD"] = preloaded.LibraryPath;
        }

        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? JsonSerializer.Deserialize<ListResult>(output)!
            : throw new InvalidOperationException($"{row.Name} on {threads} threads ended with {process.ExitCode}.\n{output}{errors.Result}");
    }
}
