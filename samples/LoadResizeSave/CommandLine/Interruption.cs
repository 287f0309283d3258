using System.Runtime.InteropServices;

namespace LoadResizeSave.CommandLine;

/// <summary>
/// Ctrl+C, and what asks a process to end in other ways. The first time asks the run to come to its end; the second time is the system's, which ends the
/// process at once.
/// </summary>
internal sealed class Interruption : IDisposable
{
    /// <summary>A live display hides the cursor, and a process that is ended cannot bring it back.</summary>
    private const string ShowCursor = "\e[?25h";

    private readonly CancellationTokenSource _source = new();
    private readonly PosixSignalRegistration[] _signals;
    private int _count;

    public Interruption() => _signals =
    [
        PosixSignalRegistration.Create(PosixSignal.SIGINT, Handle),
        PosixSignalRegistration.Create(PosixSignal.SIGTERM, Handle),
    ];

    public CancellationToken Token => _source.Token;

    public void Dispose()
    {
        foreach (PosixSignalRegistration signal in _signals)
        {
            signal.Dispose();
        }

        _source.Dispose();
    }

    private void Handle(PosixSignalContext signal)
    {
        if (Interlocked.Increment(ref _count) == 1)
        {
            signal.Cancel = true;
            _source.Cancel();
        }
        else if (!Console.IsOutputRedirected)
        {
            Console.Write(ShowCursor);
        }
    }
}
