using System.Diagnostics;
using PixelPool.Stress.Measuring;

namespace PixelPool.Stress.FreshPages;

/// <summary>Gets memory from the system, writes it twice, gives it back, again and again, in a process of its own.</summary>
internal static class FreshPagesRun
{
    /// <summary>Bytes of the image: 112 blocks.</summary>
    public const int ImageBytes = 448 << 20;

    private const int Width = 4096;

    public static FreshProcess<FreshPagesJob, FreshPagesRound[]> Process { get; } = new("fresh-pages-run", Execute);

    private static FreshPagesRound[] Execute(FreshPagesJob job)
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { UseHugePages = job.UseHugePages });
        var rounds = new FreshPagesRound[job.Rounds];
        for (int i = 0; i < rounds.Length; i++)
        {
            Thread.Sleep(TimeSpan.FromSeconds(job.PauseSeconds));
            using (PixelBuffer<byte> image = allocator.Rent<byte>(Width, ImageBytes / Width))
            {
                rounds[i] = new FreshPagesRound(Fill(image, 1), Fill(image, 2));
            }

            allocator.Trim();
        }

        return rounds;
    }

    private static double Fill(PixelBuffer<byte> image, byte value)
    {
        long start = Stopwatch.GetTimestamp();
        image.Fill(value);
        return Stopwatch.GetElapsedTime(start).TotalSeconds;
    }
}
