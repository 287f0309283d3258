namespace PixelPool.Diagnostics;

/// <summary>A named moment of a <see cref="MemoryRecording"/>: <see cref="MemoryRecorder.Mark"/> made it.</summary>
/// <param name="Name">What happened.</param>
/// <param name="Sample">When, and how much memory there was. It is one of the recording's samples.</param>
public readonly record struct MemoryMoment(string Name, MemorySample Sample);
