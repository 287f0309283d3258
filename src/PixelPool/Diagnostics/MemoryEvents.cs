using PixelPool.Accounts;

namespace PixelPool.Diagnostics;

/// <summary>
/// Tells the event source what happens to the memory of one allocator, or of one pool: where memory comes from the system or goes back, never of a hit, and never
/// under a lock.
/// </summary>
/// <param name="name">What events call it.</param>
internal abstract class MemoryEvents(string name)
{
    // In the order of TrimReason. Made with the allocator, and not by Enum.ToString, which needs memory and, the first time, reflection.
    private readonly string[] _trimReasons = ["Timer", "Gen2", "Pressure", "Request", "OutOfMemory", "Budget", "Disposal"];

    /// <summary>The name of the allocator, or of the pool.</summary>
    public readonly string Name = name;

    /// <inheritdoc cref="IMemoryListener.OnAllocated"/>
    public void OnAllocated(long bytes) => PixelPoolEventSource.Log?.Allocated(Name, bytes);

    /// <inheritdoc cref="IMemoryListener.OnTrimmed"/>
    public void OnTrimmed(long bytes, TrimReason reason) => PixelPoolEventSource.Log?.Trimmed(Name, bytes, _trimReasons[(int)reason]);

    /// <inheritdoc cref="IMemoryListener.OnDropped"/>
    public void OnDropped(long bytes, string reason) => PixelPoolEventSource.Log?.Dropped(Name, bytes, reason);

    /// <inheritdoc cref="IMemoryListener.OnRefused"/>
    public void OnRefused(long bytes, long limitBytes) => PixelPoolEventSource.Log?.BudgetExceeded(Name, bytes, limitBytes);

    /// <inheritdoc cref="IMemoryListener.OnApplicationFailed"/>
    public void OnApplicationFailed(string member, Exception failure) => ApplicationFailure.Report(Name, member, failure);
}
