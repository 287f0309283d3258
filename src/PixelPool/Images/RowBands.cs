using PixelPool.Pooling;

namespace PixelPool;

/// <summary>Bands of whole rows of one or several images, on several threads at once.</summary>
/// <param name="process">The application's delegate, which is only looked at.</param>
/// <param name="maxDegreeOfParallelism">The most threads at once; −1 for one per processor.</param>
/// <param name="cancellationToken">Ends it before the next band.</param>
internal readonly struct RowBands(Delegate process, int maxDegreeOfParallelism, CancellationToken cancellationToken)
{
    // More bands than threads, so that a thread that got slow rows does not leave the others waiting.
    private const int BandsPerThread = 4;

    // Whoever lets any number of threads come gets no band for each row.
    private const int MostThreadsPerProcessor = 16;

    /// <summary>Processes every row in exactly one band; returns when all were processed.</summary>
    /// <param name="images">The images.</param>
    /// <param name="action">Receives the rows of a band, of every image. They are held until it returns.</param>
    /// <exception cref="ArgumentNullException">The delegate is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The degree of parallelism is 0 or less than −1.</exception>
    /// <exception cref="ArgumentException">The rows of the images do not belong together, or one of the images is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the images was disposed.</exception>
    public void Process(IReferencedImage[] images, Action<PixelReference[]> action)
    {
        Throw.IfNull(process, nameof(process));
        using PixelReferences held = PixelReferences.Hold<IReferencedImage>(images);
        Process(held.References, Count(held.References), (band, _) => action(band));
    }

    /// <summary>The same, with a result of every band.</summary>
    /// <param name="images">The images.</param>
    /// <param name="func">Receives the rows of a band, of every image. They are held until it returns.</param>
    /// <param name="combine">Makes one result of two, in the order of the rows.</param>
    public TResult Process<TResult>(IReferencedImage[] images, Func<PixelReference[], TResult> func, Func<TResult, TResult, TResult> combine)
    {
        Throw.IfNull(process, nameof(process));
        Throw.IfNull(combine, nameof(combine));
        using PixelReferences held = PixelReferences.Hold<IReferencedImage>(images);
        var results = new TResult[Count(held.References)];
        Process(held.References, results.Length, (band, number) => results[number] = func(band));
        return results.Aggregate(combine);
    }

    private int Threads => maxDegreeOfParallelism == -1 ? Environment.ProcessorCount : maxDegreeOfParallelism;

    private int Count(PixelReference[] images)
    {
        if (maxDegreeOfParallelism is 0 or < -1)
        {
            Throw.OutOfRange(nameof(maxDegreeOfParallelism), maxDegreeOfParallelism, "The degree of parallelism must be at least 1, or -1 for no limit.");
        }

        CheckHeights(images);
        return (int)Math.Min(Lowest(images).Layout.Height, BandsPerThread * (long)Math.Min(Threads, MostThreadsPerProcessor * Environment.ProcessorCount));
    }

    private void Process(PixelReference[] images, int bands, Action<PixelReference[], int> action)
    {
        var options = new ParallelOptions { MaxDegreeOfParallelism = Threads, CancellationToken = cancellationToken };
        PixelLayout lowest = Lowest(images).Layout;
        Parallel.For(0, bands, options, band => ProcessBand(images, in lowest, band, bands, action));
    }

    // With references of its own: an interrupt ends the loop at once, and the caller's references with it, while other threads still work on their bands.
    // A band that would begin then finds those gone, and does nothing.
    internal static void ProcessBand(PixelReference[] images, in PixelLayout lowest, int band, int bands, Action<PixelReference[], int> action)
    {
        int first = (int)((long)lowest.Height * band / bands);
        int end = (int)((long)lowest.Height * (band + 1) / bands);
        using var held = new PixelReferences(images.Length);
        for (int i = 0; i < images.Length; i++)
        {
            int rows = lowest.RowsOfOne / images[i].Layout.RowsOfOne;
            int start = first * rows;

            // The last row of a plane may belong to more rows than are left: with 2³¹ − 1 of them an int would overflow.
            PixelReference cut = images[i].Band(start, (int)Math.Min(images[i].Layout.Height, (long)end * rows) - start);
            if (!cut.TryAcquire())
            {
                return;
            }

            held.References[i] = cut;
        }

        action(held.References, band);
    }

    // Bands are cut between its rows: one of them belongs to the most rows of the picture.
    private static PixelReference Lowest(PixelReference[] images) => images.Aggregate(Lower);

    private static PixelReference Lower(PixelReference lowest, PixelReference image) => image.Layout.RowsOfOne > lowest.Layout.RowsOfOne ? image : lowest;

    private static void CheckHeights(PixelReference[] images)
    {
        foreach (PixelReference image in images)
        {
            foreach (PixelReference lower in images)
            {
                if (image.Layout.RowsOfOne <= lower.Layout.RowsOfOne && !BelongTogether(in image, in lower))
                {
                    Throw.Argument(
                        $"Images of {Describe(in image)} and {Describe(in lower)} cannot be processed together. They must have the same height; "
                            + "a plane that has fewer rows says so by AsSubsampledPlane.",
                        "other");
                }
            }
        }
    }

    private static bool BelongTogether(in PixelReference image, in PixelReference lower)
    {
        int rows = lower.Layout.RowsOfOne / image.Layout.RowsOfOne;
        return rows * image.Layout.RowsOfOne == lower.Layout.RowsOfOne && ((long)image.Layout.Height + rows - 1) / rows == lower.Layout.Height;
    }

    private static string Describe(in PixelReference image) =>
        image.Layout.RowsOfOne == 1 ? Plural.Of(image.Layout.Height, "row") : $"{Plural.Of(image.Layout.Height, "row")} (each for {image.Layout.RowsOfOne})";
}
