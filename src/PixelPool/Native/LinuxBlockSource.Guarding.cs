namespace PixelPool.Native;

// Pages between pages that cannot be touched.
internal sealed partial class LinuxBlockSource
{
    public override void ReleaseGuarded(nint pages, nint bytes) => Unmap(pages - _page, bytes + (2 * _page));

    public override nint AllocateGuarded(nint bytes)
    {
        nint mapping = kernel.Map(bytes + (2 * _page), canBeTouched: false);
        if (mapping == 0)
        {
            return 0;
        }

        nint pages = mapping + _page;
        if (!kernel.TryProtect(pages, bytes, canBeTouched: true))
        {
            ReleaseGuarded(pages, bytes);
            return 0;
        }

        return pages;
    }

    // Closed first: whoever writes late is to fault, and not to bring pages back.
    public override bool TryCloseGuarded(nint pages, nint bytes) => kernel.TryProtect(pages, bytes, canBeTouched: false) && kernel.TryDiscard(pages, bytes);
}
