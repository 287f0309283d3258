namespace PixelPool.Measuring;

/// <summary>What the garbage collector had to do; the difference of two is what it had to do in between.</summary>
public readonly record struct ManagedActivity(long AllocatedBytes, int Gen0, int Gen1, int Gen2)
{
    /// <summary>Since the process began.</summary>
    public static ManagedActivity Now() =>
        new(GC.GetTotalAllocatedBytes(precise: true), GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2));

    /// <summary>What happened in between.</summary>
    public static ManagedActivity operator -(ManagedActivity later, ManagedActivity earlier) => new(
        later.AllocatedBytes - earlier.AllocatedBytes,
        later.Gen0 - earlier.Gen0,
        later.Gen1 - earlier.Gen1,
        later.Gen2 - earlier.Gen2);
}
