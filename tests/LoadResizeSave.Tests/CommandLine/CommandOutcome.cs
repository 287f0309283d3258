using LoadResizeSave.CommandLine;

namespace LoadResizeSave.Tests.CommandLine;

/// <summary>How a command ended; <paramref name="Settings"/> is what it would have run with, if it got that far.</summary>
internal sealed record CommandOutcome(int ExitCode, string Output, string Error, Settings? Settings);
