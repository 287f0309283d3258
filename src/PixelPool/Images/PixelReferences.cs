using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>Any number of images while each of them is referenced.</summary>
/// <param name="references">A reference that is held for each of them.</param>
internal readonly unsafe ref struct PixelReferences(PixelReference[] references)
{
    /// <summary>All of them.</summary>
    public PixelReference[] References { get; } = references;

    /// <summary>References images, all or none.</summary>
    /// <exception cref="ArgumentException">One of them is null.</exception>
    /// <exception cref="ObjectDisposedException">One of them was disposed, or never rented.</exception>
    public static PixelReferences Hold<TImage>(ReadOnlySpan<TImage> others)
        where TImage : IReferencedImage
    {
        var references = new PixelReference[others.Length];
        int held = 0;
        try
        {
            foreach (TImage image in others)
            {
                if (image is null)
                {
                    Throw.Argument("One of the images is null.", nameof(others));
                }

                references[held] = image.Hold();
                held++;
            }
        }
        catch
        {
            Release(references, held);
            throw;
        }

        return new PixelReferences(references);
    }

    /// <summary>Releases all of them.</summary>
    public void Dispose() => Release(References, References.Length);

    /// <summary>Releases the first of them: each, whatever the last reference of another one throws when it is released.</summary>
    public static void Release(PixelReference[] references, int count) => EachOf.End(count, references, &ReleaseOne);

    // A copy: when the caller of several threads is interrupted, others still cut their bands from the array.
    private static void ReleaseOne(PixelReference[] references, int index)
    {
        PixelReference released = references[index];
        released.Dispose();
    }
}
