namespace PixelPool.Diagnostics;

/// <summary>What keeps memory from being returned.</summary>
public enum RentHolder
{
    /// <summary>What was rented itself: the image, lease, owner, charge or scope was not disposed.</summary>
    Owner,

    /// <summary>
    /// A view, a pin (also one that native code has not released: <see cref="PinnedPixels.GiveToNative"/>), or the buffer of
    /// <see cref="PixelLease{TPixel}.AsBuffer"/>. What was rented itself was disposed. Memory that is held now may also be held by
    /// code that runs on it.
    /// </summary>
    View,
}
