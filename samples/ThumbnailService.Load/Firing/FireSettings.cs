namespace ThumbnailService.Load.Firing;

/// <summary>One run: what is sent where, and what is watched meanwhile.</summary>
internal sealed record FireSettings(
    string Title,
    Uri Service,
    string Photos,
    int Requests,
    int Parallelism,
    TimeSpan TimeLimit,
    int ProcessId,
    string Group,
    string FiguresPath);
