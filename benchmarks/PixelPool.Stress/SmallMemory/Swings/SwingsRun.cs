using PixelPool.Measuring;
using PixelPool.Stress.Measuring;
using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory.Swings;

/// <summary>Live memory rises and falls, again and again, in a process of its own.</summary>
internal sealed class SwingsRun(SwingsJob job) : IRenterWork<LowPoint[]>
{
    public const long PeakBytes = 1 << 30;

    /// <summary>At a low point lives this part of <see cref="PeakBytes"/>.</summary>
    public const int LowPart = 10;

    /// <summary>How likely a step rents while live memory rises, and returns while it falls: in both, pieces come and go.</summary>
    private const double Trend = 0.75;

    public static FreshProcess<SwingsJob, LowPoint[]> Process { get; } =
        new("small-swings-run", job => SmallContender.Named(job.Contender).Run(new SwingsRun(job)));

    public LowPoint[] Run<TRenter, TImage>(TRenter renter)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct
    {
        long start = ResidentMemory.Current();
        var pieces = new LivePieces<TRenter, TImage>(renter, new Random(job.Seed));
        var lowPoints = new List<LowPoint>();
        while (pieces.Steps < job.Steps)
        {
            while (pieces.Bytes < PeakBytes)
            {
                pieces.Step(Trend);
            }

            while (pieces.Bytes > PeakBytes / LowPart)
            {
                pieces.Step(1 - Trend);
            }

            renter.Trim();
            lowPoints.Add(new LowPoint(pieces.Bytes, ResidentMemory.Current() - start));
        }

        return [.. lowPoints];
    }
}
