using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>Any number of images while each of them is referenced.</summary>
/// <param name="count">How many.</param>
internal readonly unsafe ref struct PixelReferences(int count)
{
    /// <summary>A reference for each of them, once it is held.</summary>
    public PixelReference[] References { get; } = new PixelReference[count];

    /// <summary>References images, all or none.</summary>
    /// <exception cref="ArgumentException">One of them is null.</exception>
    /// <exception cref="ObjectDisposedException">One of them was disposed, or never rented.</exception>
    public static PixelReferences Hold<TImage>(ReadOnlySpan<TImage> others)
        where TImage : IReferencedImage
    {
        var held = new PixelReferences(others.Length);
        try
        {
            for (int i = 0; i < others.Length; i++)
            {
                TImage image = others[i];
                if (image is null)
                {
                    Throw.Argument("One of the images is null.", nameof(others));
                }

                held.References[i] = image.Hold();
            }
        }
        catch
        {
            held.Dispose();
            throw;
        }

        return held;
    }

    /// <summary>Releases those that are held: each, whatever the last reference of another one throws when it is released.</summary>
    public void Dispose() => EachOf.End(References.Length, References, &ReleaseOne);

    // In the array: when the caller of several threads is interrupted, others may still cut their bands from it, and see that the reference is gone.
    private static void ReleaseOne(PixelReference[] references, int index)
    {
        if (references[index].Guard is not null)
        {
            references[index].Dispose();
        }
    }
}
