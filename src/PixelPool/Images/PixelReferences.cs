using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>Any number of images while each of them is referenced.</summary>
/// <param name="references">A reference that is held for each of them.</param>
internal readonly unsafe ref struct PixelReferences(ImageReference[] references)
{
    /// <summary>All of them.</summary>
    public ImageReference[] References { get; } = references;

    /// <summary>References images, all or none.</summary>
    /// <exception cref="ArgumentException">One of them is null.</exception>
    /// <exception cref="ObjectDisposedException">One of them was disposed, or never rented.</exception>
    public static PixelReferences Hold<TImage>(ReadOnlySpan<TImage> others, Func<TImage, ImageReference> hold)
    {
        var references = new ImageReference[others.Length];
        int held = 0;
        try
        {
            foreach (TImage image in others)
            {
                if (image is null)
                {
                    Throw.Argument("One of the images is null.", nameof(others));
                }

                references[held] = hold(image);
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
    public static void Release(ImageReference[] images, int count) => EachOf.End(count, images, &ReleaseOne);

    private static void ReleaseOne(ImageReference[] images, int index) => images[index].Release();
}
