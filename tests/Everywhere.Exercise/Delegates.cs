namespace Everywhere.Exercise;

/// <summary>Every form in which rows are handed to a delegate.</summary>
internal sealed class Delegates : IDisposable
{
    private const int Rows = 1500;

    private readonly PixelAllocator _allocator = PixelAllocator.Create();
    private readonly PixelBuffer<uint> _image;
    private readonly PixelBuffer<byte> _second;
    private readonly PixelBuffer<ushort> _third;
    private readonly Count _count = new();

    private Delegates()
    {
        _image = _allocator.Rent<uint>(1000, Rows);
        _second = _allocator.Rent<byte>(1000, Rows);
        _third = _allocator.Rent<ushort>(1000, Rows);
    }

    public void Dispose()
    {
        _image.Dispose();
        _second.Dispose();
        _third.Dispose();
        Checks.NothingIsLeft(_allocator);
        _allocator.Dispose();
    }

    public static void AreCalled() => With(static my =>
    {
        my._image.ProcessPixelRows(rows => my.Add(rows.Height));
        my._image.ProcessPixelRows(my._count, static (rows, count) => count.Add(rows.Height));
        my._image.ProcessPixelRows(my._second, (rows, _) => my.Add(rows.Height));
        my._image.ProcessPixelRows(my._second, my._count, static (rows, _, count) => count.Add(rows.Height));
        my._image.ProcessPixelRows(my._second, my._third, (rows, _, _) => my.Add(rows.Height));
        my._image.ProcessPixelRows(my._second, my._third, my._count, static (rows, _, _, count) => count.Add(rows.Height));
        my._image.ProcessPixelRows([my._second], (rows, others) => my.Add(rows.Height * others.Count));
        my._image.ProcessPixelRows([my._second, my._second], my._count, static (_, others, count) => count.Add(others[1].Height));
        Checks.Equal(8 * Rows, my._count.Sum);
    });

    public static void ReturnResults() => With(static my =>
    {
        int sum = my._image.ProcessPixelRows(static rows => rows.Height)
            + my._image.ProcessPixelRows(1, static (rows, one) => rows.Height * one)
            + my._image.ProcessPixelRows(my._second, static (rows, _) => rows.Height)
            + my._image.ProcessPixelRows(my._second, 1, static (rows, _, one) => rows.Height * one)
            + my._image.ProcessPixelRows(my._second, my._third, static (rows, _, _) => rows.Height)
            + my._image.ProcessPixelRows(my._second, my._third, 1, static (rows, _, _, one) => rows.Height * one)
            + my._image.ProcessPixelRows([my._second], static (rows, others) => rows.Height * others.Count)
            + my._image.ProcessPixelRows([my._second], 1, static (rows, others, one) => rows.Height * others.Count * one);
        Checks.Equal(8 * Rows, sum);
    });

    public static void RunInParallel() => With(static my =>
    {
        my._image.ProcessPixelRowsInParallel(rows => my.Add(rows.Height));
        my._image.ProcessPixelRowsInParallel(rows => my.Add(rows.Height), 2, CancellationToken.None);
        my._image.ProcessPixelRowsInParallel(rows => my.Add(rows.Height), CancellationToken.None);
        my._image.ProcessPixelRowsInParallel(my._count, static (rows, count) => count.Add(rows.Height));
        my._image.ProcessPixelRowsInParallel(my._second, (rows, _) => my.Add(rows.Height));
        my._image.ProcessPixelRowsInParallel(my._second, (rows, _) => my.Add(rows.Height), 2, CancellationToken.None);
        my._image.ProcessPixelRowsInParallel(my._second, (rows, _) => my.Add(rows.Height), CancellationToken.None);
        my._image.ProcessPixelRowsInParallel(my._second, my._count, static (rows, _, count) => count.Add(rows.Height));
        my._image.ProcessPixelRowsInParallel(my._second, my._third, (rows, _, _) => my.Add(rows.Height));
        my._image.ProcessPixelRowsInParallel(my._second, my._third, (rows, _, _) => my.Add(rows.Height), 2, CancellationToken.None);
        my._image.ProcessPixelRowsInParallel(my._second, my._third, (rows, _, _) => my.Add(rows.Height), CancellationToken.None);
        my._image.ProcessPixelRowsInParallel(my._second, my._third, my._count, static (rows, _, _, count) => count.Add(rows.Height));
        my._image.ProcessPixelRowsInParallel([my._second], (rows, _) => my.Add(rows.Height));
        my._image.ProcessPixelRowsInParallel([my._second], my._count, static (rows, _, count) => count.Add(rows.Height));
        Checks.Equal(14 * Rows, my._count.Sum);
    });

    public static void CombineResultsOfBands() => With(static my =>
    {
        int sum = my._image.ProcessPixelRowsInParallel(static rows => rows.Height, Plus)
            + my._image.ProcessPixelRowsInParallel(my._second, static (rows, _) => rows.Height, Plus)
            + my._image.ProcessPixelRowsInParallel(my._second, my._third, static (rows, _, _) => rows.Height, Plus)
            + my._image.ProcessPixelRowsInParallel(1, static (rows, one) => rows.Height * one, Plus)
            + my._image.ProcessPixelRowsInParallel(my._second, 1, static (rows, _, one) => rows.Height * one, Plus)
            + my._image.ProcessPixelRowsInParallel(my._second, my._third, 1, static (rows, _, _, one) => rows.Height * one, Plus)
            + my._image.ProcessPixelRowsInParallel([my._second], static (rows, _) => rows.Height, Plus)
            + my._image.ProcessPixelRowsInParallel([my._second], 1, static (rows, _, one) => rows.Height * one, Plus);
        Checks.Equal(8 * Rows, sum);
    });

    public static void BandsWriteEveryPixelOnce() => With(static my =>
    {
        my._image.ProcessPixelRowsInParallel(5u, static (rows, seed) => Pattern.Write(rows, seed));
        Pattern.Check(my._image, 5);
        Checks.Throws<OperationCanceledException>(() => my._image.ProcessPixelRowsInParallel(static _ => { }, new CancellationToken(canceled: true)));
    });

    public static void FiltersReadNeighbours() => With(static my =>
    {
        Pattern.Write(my._image, 3);
        ReadOnlyPixelBuffer<uint> read = my._image;
        using PixelBuffer<uint> target = my._image.Clone();
        target.FilterPixelRows(my._image, TakeRowAbove);
        CheckAbove(target);
        target.FilterPixelRows(my._image, 0, static (band, source, _) => TakeRowAbove(band, source));
        CheckAbove(target);
        target.FilterPixelRowsInParallel(my._image, TakeRowAbove);
        CheckAbove(target);
        target.FilterPixelRowsInParallel(my._image, 0, static (band, source, _) => TakeRowAbove(band, source));
        CheckAbove(target);
        target.FilterPixelRows(read, TakeRowAbove);
        CheckAbove(target);
        target.FilterPixelRows(read, 0, static (band, source, _) => TakeRowAbove(band, source));
        CheckAbove(target);
        target.FilterPixelRowsInParallel(read, TakeRowAbove);
        CheckAbove(target);
        target.FilterPixelRowsInParallel(read, 0, static (band, source, _) => TakeRowAbove(band, source));
        CheckAbove(target);
    });

    public static void ReadOnlyImagesAreRead() => With(static my =>
    {
        Pattern.Write(my._image, 9);
        ReadOnlyPixelBuffer<uint> image = my._image.AsReadOnly();
        image.ProcessPixelRows(rows => my.Add(rows.Height + rows.FirstRow));
        image.ProcessPixelRows(my._count, static (rows, count) => count.Add(rows.Height));
        my.Add(image.ProcessPixelRows(static rows => rows.Height));
        my.Add(image.ProcessPixelRows(1, static (rows, one) => rows.Height * one));
        my.Add(image.ProcessPixelRowsInParallel(static rows => rows.Height, Plus));
        my.Add(image.ProcessPixelRowsInParallel(1, static (rows, one) => rows.Height * one, Plus));
        my.Add(image.ProcessPixelRows(static rows => CountRows(rows)));
        Checks.Equal(7 * Rows, my._count.Sum);
        Checks.Equal(Pattern.At(20, 30, 9), image.ProcessPixelRows(static rows => rows[20, 30]));
        Checks.Equal(Pattern.At(20, 30, 9), image.ProcessPixelRows(static rows => rows.GetRowSpan(30)[20]));
    });

    private static int CountRows(ReadOnlyPixelAccessor<uint> rows)
    {
        int count = 0;
        foreach (ReadOnlySpan<uint> row in rows)
        {
            count += row.Length / rows.Width;
        }

        return count;
    }

    private static void TakeRowAbove(PixelAccessor<uint> band, ReadOnlyPixelAccessor<uint> source)
    {
        for (int y = 0; y < band.Height; y++)
        {
            source.GetRowSpanClamped(band.FirstRow + y - 1).CopyTo(band.GetRowSpan(y));
        }
    }

    private static void CheckAbove(PixelBuffer<uint> target)
    {
        Checks.Equal((Pattern.At(7, 0, 3), Pattern.At(7, 0, 3), Pattern.At(7, Rows - 2, 3)), (target[7, 0], target[7, 1], target[7, Rows - 1]));
        target.Clear();
    }

    private static int Plus(int left, int right) => left + right;

    private static void With(Action<Delegates> check)
    {
        using var my = new Delegates();
        check(my);
    }

    private void Add(int rows) => _count.Add(rows);
}
