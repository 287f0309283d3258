namespace PixelPool;

/// <summary>Any number of images while each of them is referenced.</summary>
internal readonly ref struct HeldImages
{
    private readonly ImageReference[] _images;
    private readonly int _count;

    private HeldImages(ImageReference[] images, int count)
    {
        _images = images;
        _count = count;
    }

    /// <summary>All of them.</summary>
    public ImageReference[] References => _images;

    /// <summary>References images, all or none.</summary>
    /// <exception cref="ArgumentException">One of them is null.</exception>
    /// <exception cref="ObjectDisposedException">One of them was disposed.</exception>
    public static HeldImages Hold<TPixel>(ReadOnlySpan<PixelBuffer<TPixel>> images)
        where TPixel : unmanaged
    {
        var references = new ImageReference[images.Length];
        int held = 0;
        try
        {
            foreach (PixelBuffer<TPixel> image in images)
            {
                if (image is null)
                {
                    Throw.Argument("One of the images is null.", nameof(images));
                }

                references[held] = image.Hold().ToReference();
                held++;
            }
        }
        finally
        {
            if (held != images.Length)
            {
                new HeldImages(references, held).Dispose();
            }
        }

        return new HeldImages(references, held);
    }

    /// <summary>References images, all or none.</summary>
    /// <exception cref="ObjectDisposedException">One of them was disposed, or never rented.</exception>
    public static HeldImages Hold<TPixel>(ReadOnlySpan<PixelLease<TPixel>> images)
        where TPixel : unmanaged
    {
        var references = new ImageReference[images.Length];
        int held = 0;
        try
        {
            foreach (PixelLease<TPixel> image in images)
            {
                references[held] = image.HoldReference();
                held++;
            }
        }
        finally
        {
            if (held != images.Length)
            {
                new HeldImages(references, held).Dispose();
            }
        }

        return new HeldImages(references, held);
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
