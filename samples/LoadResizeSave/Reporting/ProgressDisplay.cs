using Spectre.Console;

namespace LoadResizeSave.Reporting;

/// <summary>Chooses between a bar that moves and lines that can be kept in a file.</summary>
internal static class ProgressDisplay
{
    public static IProgressDisplay ForThisConsole(TimeProvider time)
    {
        if (!Console.IsOutputRedirected && AnsiConsole.Profile.Capabilities.Ansi)
        {
            return new LiveProgressDisplay();
        }

        // Nobody wants colours in a file, nor lines broken at the width of a terminal that is not there.
        AnsiConsole.Profile.Capabilities.Ansi = false;
        AnsiConsole.Profile.Width = 500;
        return new PlainProgressDisplay(time);
    }
}
