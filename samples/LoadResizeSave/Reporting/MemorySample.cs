namespace LoadResizeSave.Reporting;

/// <summary>Memory at one moment, in bytes. <paramref name="Trimmed"/> is what was given back since the start.</summary>
internal readonly record struct MemorySample(TimeSpan At, long Resident, long Rented, long Idle, long Trimmed);
