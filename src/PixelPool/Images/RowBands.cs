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

        return (int)Math.Min(FewestRows(images), (long)Threads(maxDegreeOfParallelism) * BandsPerThread);
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
        int rows = FewestRows(images);
        CheckHeights(images, rows);
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
                    ProcessBand(Cut(images, rows, first, end), band, process);
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

    private static ImageReference[] Cut(ImageReference[] images, int rows, int first, int end)
    {
        var cut = new ImageReference[images.Length];
        for (int i = 0; i < cut.Length; i++)
        {
            int height = images[i].Height;
            int rowsOfOne = RowsOfOne(height, rows);
            int start = first * rowsOfOne;

            // The last row of the lowest image may belong to more rows than are left: with 2³¹ − 1 of them an int would overflow.
            cut[i] = images[i].Band(start, (int)Math.Min(height, (long)end * rowsOfOne) - start);
        }

        return cut;
    }

    // How many rows of a taller image belong to one row of the lowest: 2 for the brightness of a picture whose colours have half the rows.
    private static int RowsOfOne(int height, int rows) => (int)(((long)height + rows - 1) / rows);

    private static int FewestRows(ImageReference[] images)
    {
        int rows = int.MaxValue;
        foreach (ImageReference image in images)
        {
            rows = Math.Min(rows, image.Height);
        }

        return rows;
    }

    private static void CheckHeights(ImageReference[] images, int rows)
    {
        foreach (ImageReference image in images)
        {
            int rowsOfOne = RowsOfOne(image.Height, rows);
            if (((long)image.Height + rowsOfOne - 1) / rowsOfOne != rows)
            {
                Throw.Argument(
                    $"Images of {image.Height} and {rows} rows cannot be processed together. Each image must be as high as the highest one, "
                        + "or as high as that divided by a whole number and rounded up.",
                    "other");
            }
        }
    }

    private static int Threads(int maxDegreeOfParallelism) => maxDegreeOfParallelism == -1 ? Environment.ProcessorCount : maxDegreeOfParallelism;
}
