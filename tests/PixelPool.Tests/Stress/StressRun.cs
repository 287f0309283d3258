using System.Buffers;
using System.Collections.Concurrent;
using PixelPool.Tests.Allocations;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Stress;

/// <summary>One allocator on a fake system under many threads, and what must hold when they are done.</summary>
internal sealed class StressRun
{
    public const int BlockBytes = 64 << 10;
    public const int CapacityBlocks = 48;
    public const long BudgetBytes = 64L * BlockBytes;

    private const int Threads = 8;

    // In less time resident memory is mostly what the program and the collector begin with.
    private static readonly TimeSpan s_soak = TimeSpan.FromMinutes(1);

    private readonly StressVariant _variant;
    private readonly int _seed;
    private readonly RecyclingArrayPool _arrays = new();
    private long _deadline;
    private long _leaks;
    private int _cookie;

    public StressRun(StressVariant variant, int seed)
    {
        _variant = variant;
        _seed = seed;
        Source = new FakeBlockSource(divisible: variant is StressVariant.Divisible or StressVariant.DivisibleBudget, divisibleBytes: 256 << 20);
        Allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = BlockBytes,
            SmallBufferThresholdBytes = BlockBytes / 2,
            SmallBuffers = variant is StressVariant.Arrays or StressVariant.SharedArrays ? SmallBufferStrategy.ArrayPool : SmallBufferStrategy.Slab,
            ArrayPool = variant == StressVariant.SharedArrays ? ArrayPool<byte>.Shared : _arrays,
            UnpooledBlockBytes = 2 * BlockBytes,
            MaxPooledBytes = CapacityBlocks * BlockBytes,
            MaxRentedBytes = HasBudget ? BudgetBytes : null,
            ClearOnReturn = HasBudget,
            TrimPolicy = variant == StressVariant.Slabs ? TrimPolicy.Halving(TimeSpan.FromSeconds(10), 0.5) : TrimPolicy.Demand,
            TimeProvider = Time,
            MemoryPressure = Pressure,
            BlockSource = IsOfMachine ? null : Source,
            GuardedRentSampling = variant == StressVariant.Guarded ? 10 : 0,
        });
    }

    public PixelAllocator Allocator { get; }

    /// <summary>Its memory, unless that is the machine's.</summary>
    public FakeBlockSource Source { get; }

    /// <summary>Whether most images are in one piece.</summary>
    public bool PrefersRuns => _variant >= StressVariant.Divisible;

    public ManualTime Time { get; } = new() { FireNewTimersAtOnce = true };

    public ManualMemoryPressure Pressure { get; } = new();

    /// <summary>Images that one thread leaves for another to return.</summary>
    public ConcurrentQueue<StressImage> HandedOver { get; } = new();

    public bool IsOver => TimeProvider.System.GetTimestamp() >= _deadline;

    /// <summary>A value no other rent of the run has.</summary>
    public uint NextCookie() => (uint)Interlocked.Increment(ref _cookie) * 2654435761u;

    public void CountLeak() => Interlocked.Increment(ref _leaks);

    public void Execute(TimeSpan duration)
    {
        long resident = MeasureResident();
        _deadline = TimeProvider.System.GetTimestamp() + (long)(duration.TotalSeconds * TimeProvider.System.TimestampFrequency);
        RunWorkers(duration);
        while (HandedOver.TryDequeue(out StressImage? image))
        {
            image.VerifyAndReturn();
        }

        Source.Heal();
        Pressure.High = false;
        Collector.CollectAll();
        if (_variant == StressVariant.SharedArrays)
        {
            // Arrays that were passed on by threads that ended.
            Allocator.Trim();
        }

        CheckAccounts();
        CheckEverythingCanBeRented();
        Allocator.Dispose();
        Source.AssertAllFreed();
        Assert.Equal(0, _arrays.RentedCount);
        if (IsOfMachine && duration >= s_soak)
        {
            CheckResident(resident, MeasureResident());
        }
    }

    // What the program and the collector need beside the images grows at first, and then no more. A leak of one byte in a thousand would be seen in minutes.
    private static void CheckResident(long before, long after)
    {
        Console.WriteLine($"resident: {before >> 20} MiB before, {after >> 20} MiB after");
        Assert.InRange(after, 0, before + (128 << 20));
    }

    private static long MeasureResident() => OperatingSystem.IsLinux() ? ResidentMemory.Measure() : 0;

    private bool HasBudget => _variant is StressVariant.Budget or StressVariant.DivisibleBudget or StressVariant.Guarded;

    private bool IsOfMachine => _variant is StressVariant.Real or StressVariant.Guarded;

    private void RunWorkers(TimeSpan duration)
    {
        var workers = new StressWorker[Threads];
        for (int i = 0; i < Threads; i++)
        {
            workers[i] = new StressWorker(this, _seed + i);
        }

        Simultaneously.Run(Threads, duration + TimeSpan.FromMinutes(2), thread => workers[thread].Work());
        Console.WriteLine($"{_variant}: {workers.Sum(static worker => worker.Operations)} operations; {workers.Sum(static worker => worker.OutOfMemory)} out of memory, "
            + $"{workers.Sum(static worker => worker.OverBudget)} over budget, {_leaks} leaks, {GC.CollectionCount(2)} collections; {Source.Failures} of {Source.Attempts} allocations failed, {Source.Moves} blocks were moved");
    }

    private void CheckAccounts()
    {
        PixelPoolStatistics statistics = Allocator.GetStatistics();
        Console.WriteLine(statistics);
        StatisticsAssert.Balanced(statistics);
        Assert.Equal(0, statistics.RentedBytes);
        if (!IsOfMachine)
        {
            Assert.Equal(Source.LiveBytes, statistics.IdleBytes);
        }

        Assert.Equal(_leaks, statistics.LeakedCount);
        Assert.Equal(0, _arrays.RentedCount);
        Source.AssertNoMisuse();
    }

    // Capacity and budget are back to the last byte, and no block is in the depot twice.
    private void CheckEverythingCanBeRented()
    {
        int blocks = (int)(HasBudget ? Math.Min(BudgetBytes / BlockBytes, CapacityBlocks) : CapacityBlocks);
        long unpooled = Allocator.GetStatistics().UnpooledRents;
        using (var scope = new RentScope(Allocator))
        {
            PixelBuffer<uint>[] images = [.. Enumerable.Range(0, blocks).Select(_ => scope.Rent<uint>(BlockBytes / 4, 1))];
            Assert.Equal((long)blocks * BlockBytes, Allocator.GetStatistics().RentedBytes);
            Assert.True(_variant == StressVariant.Guarded || unpooled == Allocator.GetStatistics().UnpooledRents);
            var addresses = new HashSet<nint>(images.Select(Lifetime.Rental.AddressOf));
            Assert.Equal(blocks, addresses.Count);
        }

        if (HasBudget)
        {
            Allocator.Rent<byte>((int)BudgetBytes, 1).Dispose();
            Assert.False(Allocator.TryRent<byte>((int)BudgetBytes + 1, 1, out _));
        }
    }
}
