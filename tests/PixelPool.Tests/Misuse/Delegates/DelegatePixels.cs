namespace PixelPool.Tests.Misuse.Delegates;

/// <summary>Looks at what a delegate was given.</summary>
internal static class DelegatePixels
{
    public static void AssertHold(PixelAccessor<uint> rows)
    {
        foreach (Span<uint> row in rows)
        {
            AssertHold(row);
        }
    }

    public static void AssertHold(ReadOnlyPixelAccessor<uint> rows)
    {
        foreach (ReadOnlySpan<uint> row in rows)
        {
            Assert.Equal(-1, row.IndexOfAnyExcept(DelegateSubject.Value));
        }
    }

    public static void AssertHold(PixelAccessorList<uint> images)
    {
        for (int i = 0; i < images.Count; i++)
        {
            AssertHold(images[i]);
        }
    }

    public static void AssertHold(Span<uint> pixels) => Assert.Equal(-1, pixels.IndexOfAnyExcept(DelegateSubject.Value));
}
