using PixelPool.Measuring;

namespace PixelPool.Stress.Thumbnails;

/// <summary>What one run took.</summary>
/// <param name="Managed">What the garbage collector had to do for it.</param>
/// <param name="PeakResidentBytes">The highest since the first photo.</param>
/// <param name="FinalResidentBytes">After idle memory was given back.</param>
internal sealed record ThumbnailFigures(
    int Thumbnails, double Megapixels, double Seconds, ManagedActivity Managed, long PeakResidentBytes, long FinalResidentBytes);
