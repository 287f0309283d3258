namespace ImageSharp.Comparison.Work;

/// <summary>What a process measured.</summary>
/// <param name="ImageSharp">The version that it ran with.</param>
/// <param name="Costs">By what was done.</param>
/// <param name="PeakBytes">The most that was resident while it worked.</param>
/// <param name="ReleasedBytes">What is resident after everything was disposed, <c>ReleaseRetainedResources</c>, and a collection.</param>
/// <param name="ManagedBytes">What was allocated on the managed heap.</param>
/// <param name="Collections">Of all generations.</param>
/// <param name="Hash">Of all that came out.</param>
internal sealed record JobResult(
    string ImageSharp, Dictionary<string, Cost> Costs, long PeakBytes, long ReleasedBytes, long ManagedBytes, int Collections, string Hash);
