namespace PixelPool;

/// <summary>Bands of whole rows of one or several images, on several threads at once.</summary>
internal static class RowBands
{
    // More bands than threads, so that a thread that got slow rows does not leave the others waiting.
    private const int BandsPerThread = 4;

    /// <summary>Works on a band.</summary>
    /// <param name="images">The rows of the band, of every image. They are held until it returns.</param>
    /// <param name="band">Which band it is, counted from the first rows.</param>
    public delegate void BandAction(ImageReference[] images, int band);

    /// <summary>How many bands there will be.</summary>
    /// <param name="images">The images.</param>
    /// <param name="maxDegreeOfParallelism">The most threads at once; −1 for one per processor.</param>
    /// <exception cref="ArgumentOutOfRangeException">It is 0 or less than −1.</exception>
    public static int Count(ImageReference[] images, int maxDegreeOfParallelism)
    {
        if (maxDegreeOfParallelism is 0 or < -1)
        {
            Throw.OutOfRange(nameof(maxDegreeOfParallelism), maxDegreeOfParallelism, "The degree of parallelism must be at least 1, or -1 for no limit.");
        }

        return (int)Math.Min(Rows(images), (long)Threads(maxDegreeOfParallelism) * BandsPerThread);
    }

    /// <summary>Processes every row in exactly one band; returns when all were processed.</summary>
    /// <param name="images">The images. The caller holds them.</param>
    /// <param name="maxDegreeOfParallelism">The most threads at once; −1 for one per processor.</param>
    /// <param name="process">Works on a band.</param>
    /// <param name="cancellationToken">Ends it before the next band.</param>
    /// <exception cref="ArgumentException">The rows of the images do not belong together.</exception>
    public static void Process(ImageReference[] images, int maxDegreeOfParallelism, BandAction process, CancellationToken cancellationToken)
    {
        int bands = Count(images, maxDegreeOfParallelism);
        int rows = Rows(images);
        CheckHeights(images);
        var options = new ParallelOptions { MaxDegreeOfParallelism = Threads(maxDegreeOfParallelism), CancellationToken = cancellationToken };
        bool left = false;
        try
        {
            Parallel.For(0, bands, options, band =>
            {
                if (!Volatile.Read(ref left))
                {
                    int first = (int)((long)rows * band / bands);
                    int end = (int)((long)rows * (band + 1) / bands);
                    ProcessBand(Cut(images, first, end), band, process);
                }
            });
        }
        finally
        {
            Volatile.Write(ref left, true);
        }
    }

    // With references of its own: an interrupt ends the loop at once, and the caller's references with it, while other threads still work on their bands.
    private static void ProcessBand(ImageReference[] images, int band, BandAction process)
    {
        int held = 0;
        try
        {
            while (held < images.Length && images[held].TryAcquire())
            {
                held++;
            }

            if (held == images.Length)
            {
                process(images, band);
            }
        }
        finally
        {
            while (held > 0)
            {
                images[--held].Release();
            }
        }
    }

    private static ImageReference[] Cut(ImageReference[] images, int first, int end)
    {
        int rowsOfOne = MostRowsOfOne(images);
        var cut = new ImageReference[images.Length];
        for (int i = 0; i < cut.Length; i++)
        {
            int height = images[i].Height;
            int rows = rowsOfOne / images[i].RowsOfOne;
            int start = first * rows;

            // The last row of a plane may belong to more rows than are left: with 2³¹ − 1 of them an int would overflow.
            cut[i] = images[i].Band(start, (int)Math.Min(height, (long)end * rows) - start);
        }

        return cut;
    }

    // Bands are cut between rows of the plane with the fewest.
    private static int Rows(ImageReference[] images)
    {
        int rowsOfOne = MostRowsOfOne(images);
        return Array.Find(images, image => image.RowsOfOne == rowsOfOne).Height;
    }

    private static int MostRowsOfOne(ImageReference[] images)
    {
        int most = 1;
        foreach (ImageReference image in images)
        {
            most = Math.Max(most, image.RowsOfOne);
        }

        return most;
    }

    private static void CheckHeights(ImageReference[] images)
    {
        foreach (ImageReference image in images)
        {
            foreach (ImageReference lower in images)
            {
                if (image.RowsOfOne <= lower.RowsOfOne && !BelongTogether(in image, in lower))
                {
                    Throw.Argument(
                        $"Images of {Describe(in image)} and {Describe(in lower)} cannot be processed together. They must have the same height; "
                            + "a plane that has fewer rows says so by AsSubsampledPlane.",
                        "other");
                }
            }
        }
    }

    private static bool BelongTogether(in ImageReference image, in ImageReference lower)
    {
        int rows = lower.RowsOfOne / image.RowsOfOne;
        return rows * image.RowsOfOne == lower.RowsOfOne && ((long)image.Height + rows - 1) / rows == lower.Height;
    }

    private static string Describe(in ImageReference image) =>
        image.RowsOfOne == 1 ? Plural.Of(image.Height, "row") : $"{Plural.Of(image.Height, "row")} (each for {image.RowsOfOne})";

    private static int Threads(int maxDegreeOfParallelism) => maxDegreeOfParallelism == -1 ? Environment.ProcessorCount : maxDegreeOfParallelism;
}
