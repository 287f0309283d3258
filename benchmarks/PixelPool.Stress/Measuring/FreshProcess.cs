using System.CommandLine;
using System.Diagnostics;
using System.Text.Json;

namespace PixelPool.Stress.Measuring;

/// <summary>
/// Work that is done in a process of its own: what an allocator, the collector and the compiler did for one contender must not help or hurt the next.
/// </summary>
/// <remarks>This program starts itself again with a hidden command. The job goes there as an argument, the result comes back in a file.</remarks>
internal sealed class FreshProcess<TJob, TResult>(string name, Func<TJob, TResult> work)
{
    /// <summary>The hidden command, for the child's side.</summary>
    public Command Command()
    {
        var job = new Argument<string>("job");
        var resultFile = new Argument<string>("result-file");
        var command = new Command(name) { job, resultFile };
        command.Hidden = true;
        command.SetAction(arguments =>
        {
            TResult result = work(JsonSerializer.Deserialize<TJob>(arguments.GetRequiredValue(job))!);
            File.WriteAllBytes(arguments.GetRequiredValue(resultFile), JsonSerializer.SerializeToUtf8Bytes(result));
        });
        return command;
    }

    /// <summary>Starts the process, waits for it, and brings its result here.</summary>
    /// <param name="environment">Variables that the process gets besides those of this one.</param>
    /// <exception cref="InvalidOperationException">It failed; the message says what it wrote last.</exception>
    public TResult Run(TJob job, params (string Name, string Value)[] environment)
    {
        string resultFile = Path.GetTempFileName();
        try
        {
            ProcessStartInfo start = StartInfo([name, JsonSerializer.Serialize(job), resultFile]);
            foreach ((string variable, string value) in environment)
            {
                start.Environment[variable] = value;
            }

            using Process process = Process.Start(start)!;
            Task<string> errors = process.StandardError.ReadToEndAsync();
            string output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            return process.ExitCode == 0
                ? JsonSerializer.Deserialize<TResult>(File.ReadAllBytes(resultFile))!
                : throw new InvalidOperationException($"{name} ended with {process.ExitCode}.\n{output}{errors.Result}");
        }
        finally
        {
            File.Delete(resultFile);
        }
    }

    private static ProcessStartInfo StartInfo(IEnumerable<string> arguments)
    {
        // Started as "dotnet PixelPool.Stress.dll", the process is the host, and the program is its first argument.
        string program = Environment.ProcessPath!;
        bool isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        return new ProcessStartInfo(program, isHost ? arguments.Prepend(Environment.GetCommandLineArgs()[0]) : arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
    }
}
