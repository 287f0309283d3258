namespace PixelPool.Measuring;

/// <summary>Another <c>malloc</c> that a benchmark process gets by <c>LD_PRELOAD</c>.</summary>
/// <param name="Name">As tables say it.</param>
/// <param name="LibraryPath">The shared library.</param>
public sealed record PreloadedAllocator(string Name, string LibraryPath)
{
    /// <summary>The allocator that the C library brings along.</summary>
    public const string SystemName = "system";

    private static readonly (string Name, string FileName)[] s_known =
    [
        ("mimalloc", "libmimalloc.so.2"),
        ("jemalloc", "libjemalloc.so.2"),
        ("tcmalloc", "libtcmalloc_minimal.so.4"),
    ];

    private static readonly string[] s_folders =
        ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"];

    /// <summary>Those that are installed.</summary>
    public static IEnumerable<PreloadedAllocator> Find() =>
        from known in s_known
        let path = s_folders.Select(folder => Path.Combine(folder, known.FileName)).FirstOrDefault(File.Exists)
        where path is not null
        select new PreloadedAllocator(known.Name, path);
}
