namespace ThumbnailService.Load.Watching;

/// <summary>Memory at one moment, in bytes: what the kernel charges the control group, and what of it is resident in the service.</summary>
internal readonly record struct MemorySample(double Seconds, long GroupBytes, long ResidentBytes);
