namespace LoadResizeSave.Reporting;

/// <summary>What the garbage collector had to do; the difference of two is what it had to do in between.</summary>
internal readonly record struct ManagedActivity(long AllocatedBytes, int Gen0, int Gen1, int Gen2)
{
    public static ManagedActivity Now() =>
        new(GC.GetTotalAllocatedBytes(precise: true), GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2));

    public static ManagedActivity operator -(ManagedActivity later, ManagedActivity earlier) => new(
        later.AllocatedBytes - earlier.AllocatedBytes,
        later.Gen0 - earlier.Gen0,
        later.Gen1 - earlier.Gen1,
        later.Gen2 - earlier.Gen2);
}
