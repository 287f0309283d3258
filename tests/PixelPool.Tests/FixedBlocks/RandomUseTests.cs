using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Stress;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Random use against a model, on one thread and on several: each object holds a stamp, which nobody else may overwrite.</summary>
/// <remarks><c>PIXELPOOLTESTS_STRESS_SEED</c> repeats the choices of a run that failed, <c>PIXELPOOLTESTS_STRESS_SECONDS</c> lengthens the one with threads.</remarks>
public sealed unsafe class RandomUseTests
{
    private const int Steps = 30_000;
    private const int MostBytes = 6_000_000;
    private const int Threads = 6;
    private const int Shelves = 64;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void One_thread_keeps_to_the_model(bool checksFrees)
    {
        var random = new Random(StressTime.Seed());
        KeepToModel<Sized.Of12>(random, checksFrees);
        KeepToModel<Sized.Of32>(random, checksFrees);
        KeepToModel<Sized.Of1000>(random, checksFrees);
        KeepToModel<Sized.Of40000>(random, checksFrees);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Category", "Long")]
    public void No_object_is_in_two_hands(bool checksFrees)
    {
        int seed = StressTime.Seed();
        TimeSpan time = StressTime.Of(1.5);
        using var system = new TestSystem();
        using (var allocator = new FixedBlockAllocator<Sized.Of200>(system.Options(capacityInBlocks: 4096), checksFrees))
        {
            // Objects pass from thread to thread through these.
            nint[] shelves = new nint[Shelves];
            long started = TimeProvider.System.GetTimestamp();
            for (int round = 0; round == 0 || TimeProvider.System.GetElapsedTime(started) < time; round++)
            {
                Simultaneously.Run(Threads, index => PassAround(allocator, new Random(seed + (round * Threads) + index), shelves, index));
                Assert.Equal(shelves.Count(item => item != 0), allocator.Count);
                Collector.CollectAll();
            }

            foreach (nint item in shelves.Where(item => item != 0))
            {
                allocator.Free((Sized.Of200*)item);
            }

            Assert.Equal(0, allocator.Count);
            StatisticsAssert.Balanced(allocator.GetStatistics());
            Collector.CollectAll();
            allocator.Trim();
            system.Source.AssertAllFreed();
        }

    }

    private static void PassAround(FixedBlockAllocator<Sized.Of200> allocator, Random random, nint[] shelves, int index)
    {
        var own = new Dictionary<nint, long>();
        for (int step = 0; step < 5000; step++)
        {
            if (random.Next(3) != 0)
            {
                Sized.Of200* item = allocator.Allocate();
                long stamp = ((long)index << 32) | (uint)step;
                new Span<long>(item, sizeof(Sized.Of200) / sizeof(long)).Fill(stamp);
                own.Add((nint)item, stamp);
            }
            else if (own.Count > 0)
            {
                nint item = own.Keys.ElementAt(random.Next(Math.Min(own.Count, 10)));
                CheckStamp((Sized.Of200*)item, own[item]);
                own.Remove(item);
                nint taken = Interlocked.Exchange(ref shelves[random.Next(Shelves)], item);
                if (taken != 0)
                {
                    CheckStamp((Sized.Of200*)taken, ((Sized.Of200*)taken)->Stamp);
                    allocator.Free((Sized.Of200*)taken);
                }
            }

            if (random.Next(500) == 0)
            {
                allocator.Trim();
            }
        }

        foreach ((nint item, long stamp) in own)
        {
            CheckStamp((Sized.Of200*)item, stamp);
            allocator.Free((Sized.Of200*)item);
        }
    }

    private static void CheckStamp(Sized.Of200* item, long stamp)
    {
        var words = new ReadOnlySpan<long>(item, sizeof(Sized.Of200) / sizeof(long));
        Assert.True(words.IndexOfAnyExcept(stamp) < 0, $"0x{(nint)item:x} is in two hands");
    }

    private static void KeepToModel<T>(Random random, bool checksFrees)
        where T : unmanaged
    {
        using var system = new TestSystem();
        using var allocator = new FixedBlockAllocator<T>(system.Options(capacityInBlocks: 4096), checksFrees);
        var items = new List<nint>();
        var stamps = new Dictionary<nint, byte>();
        int most = random.Next(1, Math.Min(6000, MostBytes / sizeof(T)));
        for (int step = 0; step < Steps; step++)
        {
            int choice = random.Next(10_000);
            if (choice == 0)
            {
                allocator.Clear();
                items.Clear();
                stamps.Clear();
            }
            else if (choice < 10)
            {
                allocator.Trim();
                Assert.Equal(items.Count, allocator.Count);
                StatisticsAssert.Balanced(allocator.GetStatistics());
                Assert.Equal(items.Count == 0, allocator.GetStatistics().RentedBytes == 0);
            }
            else if (choice % 2 == 0 && items.Count < most)
            {
                nint item = (nint)allocator.Allocate();
                stamps.Add(item, (byte)step);
                items.Add(item);
                new Span<byte>((void*)item, sizeof(T)).Fill((byte)step);
            }
            else if (items.Count > 0)
            {
                int at = random.Next(items.Count);
                nint item = items[at];
                Assert.Equal(-1, new Span<byte>((void*)item, sizeof(T)).IndexOfAnyExcept(stamps[item]));
                stamps.Remove(item);
                items[at] = items[^1];
                items.RemoveAt(items.Count - 1);
                allocator.Free((T*)item);
            }
        }

        Assert.Equal(items.Count, allocator.Count);
        FixedBlockAllocatorTests.Free(allocator, items);
        allocator.Trim();
        system.Source.AssertAllFreed();
    }
}
