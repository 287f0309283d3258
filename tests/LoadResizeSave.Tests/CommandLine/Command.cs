using System.CommandLine;
using LoadResizeSave.CommandLine;

namespace LoadResizeSave.Tests.CommandLine;

/// <summary>Gives a command line to the sample, in this process.</summary>
internal static class Command
{
    /// <summary>Reads the command line and runs nothing.</summary>
    public static async Task<CommandOutcome> ReadAsync(params string[] args)
    {
        Settings? settings = null;
        CommandOutcome outcome = await RunAsync(Remember, args);
        return outcome with { Settings = settings };

        Task<int> Remember(Settings given, CancellationToken cancellation)
        {
            settings = given;
            return Task.FromResult(ExitCode.Success);
        }
    }

    public static async Task<CommandOutcome> RunAsync(Func<Settings, CancellationToken, Task<int>> run, params string[] args)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var configuration = new InvocationConfiguration { Output = output, Error = error };
        int exitCode = await ThumbnailCommand.Create(run).Parse(args).InvokeAsync(configuration);
        return new CommandOutcome(exitCode, output.ToString(), error.ToString(), Settings: null);
    }
}
