namespace PixelPool.Tests.Infrastructure;

/// <summary>How a child process ended.</summary>
/// <param name="Command">What it ran.</param>
/// <param name="ExitCode">0 when nothing failed.</param>
/// <param name="Output">What it wrote to its output.</param>
/// <param name="Error">What it wrote to its error output: the exception, if one left the method.</param>
internal sealed record ChildProcessResult(string Command, int ExitCode, string Output, string Error)
{
    public override string ToString() =>
        $"{Command} ended with exit code {ExitCode}.{Environment.NewLine}{Error}{Environment.NewLine}{Output}";
}
