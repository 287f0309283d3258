using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>Any number of images while each of them is referenced.</summary>
internal readonly unsafe ref struct PixelReferences
{
    private readonly ImageReference[] _images;
    private readonly int _count;

    private PixelReferences(ImageReference[] images, int count)
    {
        _images = images;
        _count = count;
    }

    /// <summary>All of them.</summary>
    public ImageReference[] References => _images;

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

        return new PixelReferences(references, held);
    }

    /// <summary>Releases all of them.</summary>
    public void Dispose() => Release(_images, _count);

    /// <summary>Releases the first of them: each, whatever the last reference of another one throws when it is released.</summary>
    public static void Release(ImageReference[] images, int count) => EachOf.End(count, images, &ReleaseOne);

    private static void ReleaseOne(ImageReference[] images, int index) => images[index].Release();
}
