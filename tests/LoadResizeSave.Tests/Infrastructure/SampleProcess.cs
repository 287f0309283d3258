using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;

namespace LoadResizeSave.Tests.Infrastructure;

/// <summary>The sample in a process of its own, for what a terminal does to it. Linux only.</summary>
internal sealed partial class SampleProcess : IDisposable
{
    /// <summary>SIGINT: what Ctrl+C sends.</summary>
    private const int InterruptSignal = 2;

    /// <summary>Only a failure reaches it.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(2);

    private readonly Process _process;
    private readonly StringBuilder _output = new();

    private SampleProcess(Process process) => _process = process;

    /// <summary>What it has printed so far, errors as well.</summary>
    public string Output
    {
        get
        {
            lock (_output)
            {
                return _output.ToString();
            }
        }
    }

    /// <param name="dataFolder">Where it keeps test photos.</param>
    /// <param name="isRead">Whether somebody reads what it prints, errors apart. If not, it comes to a halt when it has printed much.</param>
    /// <param name="arguments">The command line.</param>
    /// <param name="libraryFolder">Where libraries are looked for before all other places.</param>
    public static SampleProcess Start(string dataFolder, bool isRead, string[] arguments, string libraryFolder = "")
    {
        string host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";

        // Who starts the tests in the background may have told them, and all that they start, to ignore Ctrl+C.
        var start = new ProcessStartInfo("env", ["--default-signal=INT", host, Path.Combine(AppContext.BaseDirectory, "LoadResizeSave.dll"), .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { ["XDG_DATA_HOME"] = dataFolder, ["LD_LIBRARY_PATH"] = libraryFolder },
        };
        var sample = new SampleProcess(new Process { StartInfo = start });
        sample._process.OutputDataReceived += (_, line) => sample.Append(line.Data);
        sample._process.ErrorDataReceived += (_, line) => sample.Append(line.Data);
        sample._process.Start();
        sample._process.BeginErrorReadLine();
        if (isRead)
        {
            sample._process.BeginOutputReadLine();
        }

        return sample;
    }

    public void WaitFor(string text)
    {
        bool isThere = SpinWait.SpinUntil(() => Output.Contains(text, StringComparison.Ordinal) || _process.HasExited, s_limit);
        Assert.True(isThere && !_process.HasExited, $"It did not say \"{text}\", or ended at once:\n{Output}");
    }

    public void Interrupt() => Assert.Equal(0, Kill(_process.Id, InterruptSignal));

    public int WaitForExit()
    {
        if (!_process.WaitForExit(s_limit))
        {
            _process.Kill();
            Assert.Fail("It did not end:\n" + Output);
        }

        // Once more without a limit: now the output is complete.
        _process.WaitForExit();
        return _process.ExitCode;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private void Append(string? line)
    {
        if (line is not null)
        {
            lock (_output)
            {
                _output.AppendLine(line);
            }
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);
}
