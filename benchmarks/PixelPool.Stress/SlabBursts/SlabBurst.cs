using System.Collections.Concurrent;
using PixelPool.Measuring;

namespace PixelPool.Stress.SlabBursts;

/// <summary>
/// Bursts of small images from slabs, written to on every page, half of them returned by other threads than those that rented them. After each burst nothing
/// may be rented, and after a trim nothing idle or resident. It says so, and fails if it is not so.
/// </summary>
internal static class SlabBurst
{
    private const int LargestBytes = 2 << 20;

    // What runtime and threads may have grown by meanwhile.
    private const long MostLeftBytes = 64L << 20;

    /// <returns>The exit code: 0, or 1 when something was left behind.</returns>
    public static int Execute(SlabBurstPlan plan)
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            SmallBuffers = SmallBufferStrategy.Slab,
            MaxPooledBytes = 2 * plan.Bytes,
            TrimPolicy = TrimPolicy.None,
        });
        long before = ResidentMemory.Current();
        bool isClean = true;
        for (int round = 0; round < plan.Rounds; round++)
        {
            var elsewhere = new ConcurrentBag<PixelBuffer<byte>>();
            using var all = new Barrier(plan.Threads);
            long peak = 0;
            OnThreads(plan.Threads, thread =>
            {
                List<PixelBuffer<byte>> held = Rent(allocator, plan.Bytes / plan.Threads, new Random(plan.Seed + (round * plan.Threads) + thread));
                all.SignalAndWait();
                if (thread == 0)
                {
                    peak = ResidentMemory.Current();
                }

                all.SignalAndWait();
                for (int i = 0; i < held.Count; i++)
                {
                    if (i % 2 == 0)
                    {
                        held[i].Dispose();
                    }
                    else
                    {
                        elsewhere.Add(held[i]);
                    }
                }
            });
            OnThreads(plan.Threads, _ =>
            {
                while (elsewhere.TryTake(out PixelBuffer<byte>? image))
                {
                    image.Dispose();
                }
            });
            isClean &= Report(allocator, round, before, peak);
        }

        return isClean ? 0 : 1;
    }

    private static List<PixelBuffer<byte>> Rent(PixelAllocator allocator, long bytes, Random random)
    {
        var held = new List<PixelBuffer<byte>>();
        for (long rented = 0; rented < bytes; rented += held[^1].Width)
        {
            // As many of 1 to 2 KiB as of 1 to 2 MiB.
            int size = Math.Min(LargestBytes, (int)(64 * Math.Pow(2, 15 * random.NextDouble())));
            PixelBuffer<byte> image = allocator.Rent<byte>(size, 1);
            image.Fill(1);
            held.Add(image);
        }

        return held;
    }

    private static bool Report(PixelAllocator allocator, int round, long before, long peak)
    {
        long rented = allocator.GetStatistics().RentedBytes;
        long released = allocator.Trim();
        PixelPoolStatistics after = allocator.GetStatistics();
        long left = ResidentMemory.Current() - before;
        bool isClean = rented == 0 && after.RentedBytes == 0 && after.IdleBytes == 0 && after.AllocatedBytes == after.ReleasedBytes && left <= MostLeftBytes;
        Console.WriteLine(
            $"round {round + 1}: resident {peak >> 20} MiB at the peak, {released >> 20} MiB given back; after that {after.RentedBytes} bytes rented, "
            + $"{after.IdleBytes} idle, {left >> 20} MiB more resident than in the beginning: {(isClean ? "clean" : "NOT CLEAN")}");
        return isClean;
    }

    private static void OnThreads(int count, Action<int> work)
    {
        Thread[] threads = [.. Enumerable.Range(0, count).Select(index => new Thread(() => work(index)))];
        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => thread.Join());
    }
}
