namespace PixelPool.Native;

/// <summary>
/// Private anonymous mappings: a page, the memory, a page. The pages at both ends are never written to: they cost addresses, and no memory. Memory of a huge
/// page and more starts on a 2 MiB boundary, so that the kernel can back it with huge pages: touching a fresh 4 MiB then costs two page faults instead of 1,024.
/// Where these two cost more, it asks for small pages (<see cref="HugePageProbe"/>).
/// </summary>
/// <remarks>
/// Blocks lie side by side and go back, or are moved away, one by one: each is the margin of its neighbours. What is unmapped with a block is decided by
/// <see cref="LiveBlocks"/>.
/// </remarks>
internal sealed partial class LinuxBlockSource(LinuxKernel kernel, TimeProvider? time = null) : BlockSource
{
    // A release pays for at most so many earlier ones that were refused.
    private const int MostRetries = 16;

    // Moved blocks, each of which is a mapping of its own once it was written to, and groups of blocks that are cut by what goes back: together at most half of
    // all mappings that the process may have. The rest is for threads, arrays and everybody else.
    private const int MappingsDivisor = 4;

    private readonly int _mostMappings = kernel.ReadMaxMappings() / MappingsDivisor;
    private readonly nint _page = kernel.PageBytes;
    private readonly LiveBlocks _live = new(kernel.PageBytes);
    private readonly UnmappedLater _later = new();
    private readonly HugePageProbe _probe = new(kernel, time ?? TimeProvider.System);

    public override bool IsZeroed => true;

    public override bool IsDivisible => true;

    public override bool HugePagesPay => _probe.Pays;

    public override void OfferHugePage(nint page) => _probe.Offer(page);

    public override void PreferHugePages(nint address, long bytes, bool preferred) => kernel.PreferHugePages(address, (nint)bytes, preferred);

#if NET
    public override bool TryCountPages(nint address, long bytes, out long resident, out long huge) =>
        PageMap.TryCount(address, bytes, out resident, out huge);
#endif

    protected override nint Allocate(nuint bytes, bool hugePages) => Map((nint)bytes, hugePages && _probe.Pays);

    protected override void Free(nint address, nuint bytes) => Unmap(address - _page, address + WholePages((nint)bytes) + _page);

    protected override nint AllocateBlocks(int count, int blockBytes, bool hugePages)
    {
        hugePages = hugePages && _probe.Pays;
        ref nint lowest = ref LowestBlock(blockBytes, hugePages && (nint)count * blockBytes >= HugePageBytes);
        nint run = MapBelow(Volatile.Read(ref lowest), count, blockBytes, hugePages);
        if (run == 0)
        {
            run = MapBlocks(count, blockBytes, hugePages, moved: 0);
        }

        if (run != 0)
        {
            Volatile.Write(ref lowest, run);
        }

        return run;
    }

    public override void Discard(nint address, nint bytes) => kernel.Discard(address, bytes);

    protected override void FreeBlocks(nint run, int count, int blockBytes) => FreeBlocks(run, count, blockBytes, areEmpty: false);

    private void FreeBlocks(nint run, int count, int blockBytes, bool areEmpty)
    {
        // A neighbour keeps a page of these blocks. It must not keep memory, so that goes before: afterwards the page is the neighbour's.
        nint bytes = (nint)count * blockBytes;
        if (!areEmpty && _live.BeginRemove(run, count, blockBytes))
        {
            kernel.Discard(run, bytes);
        }

        (nint start, nint end) = _live.Remove(run, count, blockBytes);
        RaiseLowestBlock(run, run + bytes, blockBytes);
        if (start < end)
        {
            Unmap(start, end, blockBytes);
        }
    }
}
