using System.Diagnostics;
using Imaging.Memory;
using PixelPool.Measuring;
using PixelPool.Stress.Measuring;

namespace PixelPool.Stress.Bursts;

/// <summary>
/// One thread that holds a few images at a time: it returns the oldest, rents another of some size, and touches every page of it. One thread for all
/// bursts, because what an allocator keeps for a thread is part of the picture.
/// </summary>
internal sealed class BurstWorker
{
    /// <summary>Two pages of 4 KiB are one row, 128 rows are 1 MiB.</summary>
    private const int RowPixels = 8192 / sizeof(uint);
    private const int RowsPerMebibyte = 128;

    private readonly ImageMemory _memory;
    private readonly Random _random;
    private readonly Image<uint>?[] _images;
    private int _oldest;
    private long _heldBytes;

    public BurstWorker(ImageMemory memory, BurstPlan plan, int number)
    {
        _memory = memory;
        _random = new Random(plan.Seed + number);
        _images = new Image<uint>?[plan.Images];
    }

    /// <summary>One entry for every image: the return of the oldest one, the rent, and a write into all of its pages.</summary>
    public LatencyHistogram Latencies { get; } = new();

    /// <summary>Bytes asked for and not returned; read by another thread.</summary>
    public long HeldBytes => Volatile.Read(ref _heldBytes);

    /// <summary>Rents until the time is over, then returns everything.</summary>
    public void Burst(long endTimestamp)
    {
        long start = Stopwatch.GetTimestamp();
        while (start < endTimestamp)
        {
            Return(_oldest);
            RentAndTouch(_oldest, NextRows());
            _oldest = (_oldest + 1) % _images.Length;
            long end = Stopwatch.GetTimestamp();
            Latencies.Record(end - start);
            start = end;
        }

        for (int i = 0; i < _images.Length; i++)
        {
            Return(i);
        }
    }

    /// <summary>As many images between 1 and 2 MiB as between 32 and 64.</summary>
    private int NextRows()
    {
        double range = Math.Log2(BurstPlan.LargestMebibytes / BurstPlan.SmallestMebibytes);
        return (int)(BurstPlan.SmallestMebibytes * RowsPerMebibyte * Math.Pow(2, range * _random.NextDouble()));
    }

    private void RentAndTouch(int place, int rows)
    {
        Image<uint> image = _memory.Rent<uint>(RowPixels, rows);
        _images[place] = image;
        Volatile.Write(ref _heldBytes, _heldBytes + (image.PixelCount * sizeof(uint)));
        image.ProcessRows(0xFF00FF00, static (pixels, color) =>
        {
            for (int y = 0; y < pixels.Height; y++)
            {
                Span<uint> row = pixels[y];
                row[0] = color;
                row[RowPixels / 2] = color;
            }
        });
    }

    private void Return(int place)
    {
        if (_images[place] is { } image)
        {
            image.Dispose();
            _images[place] = null;
            Volatile.Write(ref _heldBytes, _heldBytes - (image.PixelCount * sizeof(uint)));
        }
    }
}
