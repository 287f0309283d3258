using System.Diagnostics;
using System.Text.Json;
using ImageSharp.Comparison.Work;

namespace ImageSharp.Comparison.Reporting;

/// <summary>A job in a process of its own: what one allocator, the collector and the compiler did must not help or hurt the next.</summary>
internal static class WorkProcess
{
    /// <param name="program">This program, built with some version of ImageSharp.</param>
    /// <param name="kind">What it does.</param>
    /// <param name="contender">Where it gets its memory.</param>
    /// <param name="photos">The folder of photos.</param>
    /// <exception cref="InvalidOperationException">It failed; the message says what it wrote last.</exception>
    public static JobResult Run(string program, JobKind kind, Contender contender, string photos)
    {
        var start = new ProcessStartInfo(program, ["work", kind.ToString(), contender.ToString(), photos])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? JsonSerializer.Deserialize<JobResult>(output)!
            : throw new InvalidOperationException($"{kind} on {contender} ended with {process.ExitCode}.\n{output}{errors.Result}");
    }
}
