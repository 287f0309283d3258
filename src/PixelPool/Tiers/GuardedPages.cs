using PixelPool.Native;

namespace PixelPool.Tiers;

/// <summary>The pages of a guarded rent. It ends where they end. What is left before it, less than a page, has a pattern that is looked for when the rent ends.</summary>
/// <param name="pageBytes">Bytes of the pages.</param>
/// <param name="usedBytes">Bytes of the rent.</param>
/// <param name="rentedAt">The line of the application that rented, as far as it is known. Here, and not elsewhere, so that whoever reads a dump finds it.</param>
internal sealed unsafe class GuardedPages(nint pageBytes, nint usedBytes, string? rentedAt)
{
    // Neither a usual pixel nor a usual end of one.
    private const byte Pattern = 0xB5;

    // The first page that can be touched; 0 where the system has none.
    private nint _pages;

    /// <summary>Where the rent begins.</summary>
    public nint Address => _pages + pageBytes - usedBytes;

    public nint PageBytes => pageBytes;

    public string? RentedAt => rentedAt;

    /// <summary>The line that returned it; null while it is rented, and when it is not known.</summary>
    public string? ReturnedAt { get; set; }

    private Span<byte> Before => new((void*)_pages, (int)(pageBytes - usedBytes));

    /// <summary>Takes pages for a rent.</summary>
    /// <returns>Null when the system has none.</returns>
    public static GuardedPages? TryTake(BlockSource source, nint usedBytes, bool hugePages, string? rentedAt)
    {
        // The object is made first: no pages are lost where there is no memory for it.
        nint page = Environment.SystemPageSize;
        var taken = new GuardedPages((usedBytes + page - 1) & -page, usedBytes, rentedAt);
        taken._pages = source.AllocateGuarded(taken.PageBytes, hugePages);
        if (taken._pages == 0)
        {
            return null;
        }

        taken.Before.Fill(Pattern);
        return taken;
    }

    /// <summary>Looks at what nobody should have written to.</summary>
    /// <returns>How many bytes before the rent the last one lies that somebody wrote; 0 for none.</returns>
    public int FindWrittenBefore()
    {
        Span<byte> before = Before;
        for (int i = before.Length - 1; i >= 0; i--)
        {
            if (before[i] != Pattern)
            {
                return before.Length - i;
            }
        }

        return 0;
    }

    /// <summary>From now on nobody can touch the pages, and they have no memory.</summary>
    /// <returns>False when the system refuses one of both.</returns>
    public bool TryClose(BlockSource source) => source.TryCloseGuarded(_pages, pageBytes);

    /// <summary>Gives the addresses back, after <see cref="TryClose"/>.</summary>
    public void Release(BlockSource source) => source.Release(_pages, pageBytes);
}
