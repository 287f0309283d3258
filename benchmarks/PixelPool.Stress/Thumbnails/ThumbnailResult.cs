using Imaging.Memory;

namespace PixelPool.Stress.Thumbnails;

/// <summary>All rounds of one allocator with one parallelism. A figure is the median of the rounds.</summary>
internal sealed record ThumbnailResult(string Title, AllocatorKind Allocator, int Parallelism, IReadOnlyList<ThumbnailFigures> Rounds)
{
    public double Seconds => Median(round => round.Seconds);

    public double MegapixelsPerSecond => Rounds[0].Megapixels / Seconds;

    public double ManagedMebibytes => Median(round => round.Managed.AllocatedBytes) / (1 << 20);

    public double Gen2Collections => Median(round => round.Managed.Gen2);

    public double PeakMebibytes => Median(round => round.PeakResidentBytes) / (1 << 20);

    public double FinalMebibytes => Median(round => round.FinalResidentBytes) / (1 << 20);

    private double Median(Func<ThumbnailFigures, double> figure)
    {
        double[] values = [.. Rounds.Select(figure).Order()];
        int middle = values.Length / 2;
        return values.Length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
}
