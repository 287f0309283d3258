using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;

namespace PixelPool.Benchmarks.Metering;

/// <summary>What is known of a case beside its time.</summary>
internal sealed class Figure : IMetricDescriptor
{
    private Figure(string id, string displayName, string legend, string unit)
    {
        Id = id;
        DisplayName = displayName;
        Legend = legend;
        Unit = unit;
    }

    public static Figure ManagedBytes { get; } = new("ManagedBytes", "Managed", "Bytes allocated on the heap of the collector, per operation", "B");

    public static Figure NativeBytes { get; } =
        new("NativeBytes", "Native", "Bytes asked of the system or of a native allocator, per operation", "B");

    public static Figure Faults { get; } = new("MinorFaults", "Faults", "Minor page faults per operation", "");

    public static Figure ResidentBytes { get; } = new("ResidentBytes", "Resident", "Resident memory of the process after the last round", "B");

    public static Figure PeakBytes { get; } = new("PeakResidentBytes", "Peak", "Highest resident memory of the process", "B");

    public static Figure P99 { get; } = new("P99", "p99", "99th percentile of single operations", "ns");

    public static Figure HeldBytes { get; } = new("HeldBytes", "Held", "Resident memory that one operation's memory takes while it is held", "B");

    public static IReadOnlyList<Figure> All { get; } = [ManagedBytes, NativeBytes, Faults, ResidentBytes, PeakBytes, P99, HeldBytes];

    public string Id { get; }

    public string DisplayName { get; }

    public string Legend { get; }

    public string Unit { get; }

    public string NumberFormat => "0.##";

    public UnitType UnitType => UnitType.Dimensionless;

    public bool TheGreaterTheBetter => false;

    public int PriorityInCategory => 0;

    public bool GetIsAvailable(Metric metric) => true;
}
