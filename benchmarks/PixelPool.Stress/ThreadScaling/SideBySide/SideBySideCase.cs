using PixelPool.Stress.Renting;

namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>What is measured beside the others.</summary>
/// <param name="Name">For the file of figures.</param>
/// <param name="Title">For the page.</param>
/// <param name="ForThread">What a thread runs: called once for each of them.</param>
internal sealed record SideBySideCase(string Name, string Title, Func<UntouchedBatch> ForThread)
{
    private static readonly RentWorkload[] s_sizes =
        [new("4 KiB", "4 KiB", 32), new("40 KiB", "40 KiB", 100), new("1 MiB", "1 MiB", 512), new("4 MiB", "4 MiB", 1024)];

    /// <summary>What the price of the others is compared with.</summary>
    public static SideBySideCase Floor { get; } = new("locked-pair", "lock, pop; lock, push", () => new TypedBatch<LockedPair>(new LockedPair()));

    public static IReadOnlyList<SideBySideCase> All { get; } =
    [
        Floor,
        new("additions", "64 additions", () => new TypedBatch<Additions>(default)),
        new("new-object", "a new object of 64 B", () => new TypedBatch<NewObject>(default)),
        .. s_sizes.Select(size => Images<ArrayPoolRenter, ArrayImage>("arraypool", "ArrayPool.Shared", default, size)),
        .. OfAllocator(PixelAllocator.Create()),
    ];

    private static IEnumerable<SideBySideCase> OfAllocator(PixelAllocator allocator) =>
    [
        .. s_sizes.Select(size => Images<LeaseRenter, PixelLease<uint>>("pixellease", "PixelLease", new LeaseRenter(allocator), size)),
        .. s_sizes.Select(size => Images<BufferRenter, BufferImage>("pixelbuffer", "PixelBuffer", new BufferRenter(allocator), size)),
    ];

    private static SideBySideCase Images<TRenter, TImage>(string name, string title, TRenter renter, RentWorkload size)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct => new(
            $"{name} {size.Name}",
            $"{title}, {size.Title}",
            () => new TypedBatch<UntouchedImage<TRenter, TImage>>(new UntouchedImage<TRenter, TImage>(renter, size)));
}
