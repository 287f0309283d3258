namespace PixelPool;

/// <summary>Any number of images while each of them is referenced.</summary>
internal readonly ref struct PixelReferences
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
        finally
        {
            if (held != others.Length)
            {
                new PixelReferences(references, held).Dispose();
            }
        }

        return new PixelReferences(references, held);
    }

    /// <summary>Releases all of them.</summary>
    public void Dispose()
    {
        for (int i = 0; i < _count; i++)
        {
            _images[i].Release();
        }
    }
}
