namespace Imaging.Codecs;

/// <summary>Keeps a header that lies from renting gigabytes.</summary>
public static class ImageDimensions
{
    /// <summary>Twice the largest medium-format photo, and small enough that every buffer fits an <see cref="int"/>.</summary>
    private const long MaxPixels = 300_000_000;

    private const int MaxSide = 65_535;

    /// <exception cref="InvalidDataException">No photo has so few pixels, or so many.</exception>
    public static void Check(long width, long height)
    {
        if (width <= 0 || height <= 0)
        {
            throw new InvalidDataException($"The header says {width} × {height} pixels.");
        }

        if (width > MaxSide || height > MaxSide || width * height > MaxPixels)
        {
            throw new InvalidDataException($"The header says {width} × {height} pixels, more than any photo has.");
        }
    }
}
