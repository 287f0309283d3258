namespace PixelPool.Stress.SmallMemory.Handover;

/// <summary>How far the processors of the two threads were from each other, before an interval and after it: a range of hops.</summary>
/// <param name="Name">For the file of figures.</param>
/// <param name="Title">For the page.</param>
/// <param name="From">The shortest hop, in nanoseconds.</param>
/// <param name="Below">The longest hop is shorter than this.</param>
internal sealed record HandoverDistance(string Name, string Title, double From, double Below)
{
    // On the EPYC that this was written on hops take 28 to 90 ns, or 160 to 200 ns, and little in between; below 36 ns hand-overs were sometimes twice as fast as above. Who needs
    // microseconds shared a processor.
    private const double Short = 36;
    private const double Long = 120;
    private const double Longest = 1_000;

    public static IReadOnlyList<HandoverDistance> All { get; } =
    [
        new("short hops", $"hops shorter than {Short} ns", 0, Short),
        new("middle hops", $"hops of {Short} to {Long} ns", Short, Long),
        new("long hops", $"hops of {Long} ns and more", Long, Longest),
    ];

    public bool Includes(HandoverInterval interval) => interval.ShortestHop >= From && interval.LongestHop < Below;
}
