namespace LoadResizeSave.Reporting;

/// <summary>Something that happened during the run, and how much memory was resident then.</summary>
internal readonly record struct Moment(string Name, TimeSpan At, long Resident);
