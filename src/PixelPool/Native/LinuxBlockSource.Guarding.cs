namespace PixelPool.Native;

// Pages between pages that cannot be touched: those are the margins.
internal sealed partial class LinuxBlockSource
{
    public override nint AllocateGuarded(nint bytes, bool hugePages)
    {
        nint pages = Allocate((nuint)bytes, hugePages);
        if (pages == 0 || (kernel.TryClose(pages - _page, _page) && kernel.TryClose(pages + bytes, _page)))
        {
            return pages;
        }

        Release(pages, bytes);
        return 0;
    }

    // Closed first: whoever writes late is to fault, and not to bring pages back.
    public override bool TryCloseGuarded(nint pages, nint bytes) => kernel.TryClose(pages, bytes) && kernel.TryDiscard(pages, bytes);
}
