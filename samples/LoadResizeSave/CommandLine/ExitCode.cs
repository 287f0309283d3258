namespace LoadResizeSave.CommandLine;

/// <summary>What scripts learn from a run; the help text says the same.</summary>
internal static class ExitCode
{
    public const int Success = 0;
    public const int BadCommandLine = 1;
    public const int NoThumbnail = 2;
    public const int NoReport = 3;
    public const int Interrupted = 130;
}
