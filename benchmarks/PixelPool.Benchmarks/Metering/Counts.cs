namespace PixelPool.Benchmarks.Metering;

/// <summary>What this process has asked for so far.</summary>
internal readonly record struct Counts(long ManagedBytes, long NativeBytes, long Faults)
{
    // Faults last: the other two cause some.
    public static Counts Now()
    {
        long nativeBytes = Metering.NativeBytes.Requested;
        long managedBytes = GC.GetTotalAllocatedBytes(precise: true);
        return new Counts(managedBytes, nativeBytes, PageFaults.AreCounted ? PageFaults.Minor : 0);
    }

    public static Counts operator +(Counts a, Counts b) =>
        new(a.ManagedBytes + b.ManagedBytes, a.NativeBytes + b.NativeBytes, a.Faults + b.Faults);

    public static Counts operator -(Counts a, Counts b) =>
        new(a.ManagedBytes - b.ManagedBytes, a.NativeBytes - b.NativeBytes, a.Faults - b.Faults);
}
