using PixelPool.Measuring;
using PixelPool.Nodes.Lists;

namespace PixelPool.Nodes.Reporting;

/// <summary>A row of the tables.</summary>
/// <param name="Name">As the tables say it.</param>
/// <param name="Contender">Where nodes come from.</param>
/// <param name="Preloaded">The <c>malloc</c> of the process; null: that of the C library.</param>
internal sealed record Row(string Name, Contender Contender, PreloadedAllocator? Preloaded)
{
    /// <summary>What the others are compared with.</summary>
    public const string Compared = "`NativeMemory`";

    /// <summary>All that can be measured on this machine.</summary>
    public static IEnumerable<Row> All() =>
    [
        new("`FixedBlockAllocator`, `Free`", Contender.Pooled, null),
        new("`FixedBlockAllocator`, `Clear`", Contender.Cleared, null),
        new(Compared, Contender.Native, null),
        .. PreloadedAllocator.Find().Select(other => new Row($"{Compared}, {other.Name}", Contender.Native, other)),
        new("`LinkedList<int>`", Contender.Managed, null),
    ];
}
