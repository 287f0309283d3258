namespace PixelPool.Native;

/// <summary>
/// Private anonymous mappings: a page, the memory, a page. The pages at both ends are never written to: they cost addresses, and no memory. Memory of a huge
/// page and more starts on a 2 MiB boundary, so that the kernel can back it with huge pages: touching a fresh 4 MiB then costs two page faults instead of 1,024.
/// Where these two cost more, it asks for small pages (<see cref="HugePageProbe"/>).
/// </summary>
/// <remarks>
/// Blocks lie in regions, each of which is one mapping (<see cref="BlockRegions"/>). A block that goes back leaves its place mapped, without pages: so neighbours can read
/// beyond their ends, and no mapping is cut. A region is unmapped when nothing is in it.
/// </remarks>
internal sealed partial class LinuxBlockSource(LinuxKernel kernel, TimeProvider? time = null) : BlockSource
{
    private readonly nint _page = kernel.PageBytes;
    private readonly BlockRegions _regions = new();

    // Whether the kernel once kept pages that were to go (mlock, or a filter of system calls): then only unmapping takes them away.
    private volatile bool _keepsPages;
    private readonly HugePageProbe _probe = new(kernel, time ?? TimeProvider.System);

    public override bool IsDivisible => true;

    public override void OfferHugePages(nint start, nint usedEnd, nint end)
    {
        nint page = (start + (nint)HugePageBytes - 1) & -(nint)HugePageBytes;
        for (; page + (nint)HugePageBytes <= usedEnd && _probe.Pays; page += (nint)HugePageBytes)
        {
            _probe.Offer(page);
        }

        // All of the block: one in two mappings could not be moved. What was touched stays as it is, and what has small pages already.
        if (end - start >= HugePageBytes && !_probe.Pays)
        {
            kernel.PreferHugePages(start, end - start, preferred: false);
        }
    }

#if NET
    public override bool TryCountPages(nint address, long bytes, out long resident, out long huge) =>
        PageMap.TryCount(address, bytes, out resident, out huge);
#endif

    public override void Discard(nint address, nint bytes) => _ = kernel.TryDiscard(address, bytes);

    protected override nint Allocate(nuint bytes, bool hugePages) => Map((nint)bytes, hugePages && _probe.Pays);

    public override void Release(nint address, long bytes) => Unmap(address - _page, WholePages((nint)bytes) + (2 * _page));

    protected override nint AllocateRun(int count, int more, int blockBytes, bool hugePages)
    {
        hugePages = WantsHugePages(blockBytes, hugePages);
        nint run = _regions.TryTakeRun(count, blockBytes, hugePages, out int taken);
        if (run == 0)
        {
            return MapRegionWithRoom(count, more, taken, blockBytes, hugePages);
        }

        // Whoever had the place before may have asked for small ones.
        if (hugePages && _probe.WasSlow)
        {
            kernel.PreferHugePages(run, (nint)count * blockBytes, preferred: true);
        }

        return run;
    }

    // The pages go before the places are free: from then on somebody else may write to them.
    public override void ReleaseRun(nint run, int count, int blockBytes)
    {
        nint bytes = (nint)count * blockBytes;
        if (!kernel.TryDiscard(run, bytes))
        {
            Clear(run, bytes);
            _keepsPages = true;
        }

        FreePlaces(run, count);
    }

    // Places that have no pages.
    private void FreePlaces(nint run, int count)
    {
        if (_regions.Free(run, count) is { } region)
        {
            Release(region.Start, region.Bytes);
        }
    }

    // A huge page belongs to one block: otherwise it would stay while half of it is idle.
    private bool WantsHugePages(int blockBytes, bool hugePages) => hugePages && blockBytes % HugePageBytes == 0 && _probe.Pays;
}
