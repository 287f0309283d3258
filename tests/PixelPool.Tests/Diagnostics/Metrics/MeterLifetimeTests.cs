using System.Runtime.CompilerServices;
using PixelPool.Diagnostics.Metrics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Metrics;

/// <summary>Counters never fall, whatever becomes of allocators, and meters keep none of them alive.</summary>
public sealed class MeterLifetimeTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly string _name = $"{nameof(MeterLifetimeTests)} {Guid.NewGuid():N}";
    private readonly TestSystem _system = new();

    public static TheoryData<bool> WithFactory => [false, true];

    public void Dispose() => _system.Dispose();

    [Theory]
    [MemberData(nameof(WithFactory))]
    public void Disposed_allocator_is_measured_until_its_last_buffer_came_back(bool hasFactory)
    {
        using TestMeterFactory? factory = hasFactory ? new TestMeterFactory(shares: false) : null;
        using var reader = new MetricsReader(factory);
        PixelAllocator allocator = Create(factory);
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 3);
        allocator.Rent<byte>(Block, 2).Dispose();
        allocator.Dispose();
        IReadOnlyDictionary<string, double> disposed = reader.Read(_name);
        Assert.Equal((3.0 * Block, 0, 2.0 * Block), (disposed["pixelpool.rented"], disposed["pixelpool.idle"], disposed["pixelpool.released"]));
        held.Dispose();
        Assert.Equal(ExpectedMetrics.Of(allocator.GetStatistics()), reader.Read(_name));
        Assert.Equal(0, reader.Read(_name)["pixelpool.rented"]);
    }

    [Theory]
    [MemberData(nameof(WithFactory))]
    public void What_ended_allocators_counted_stays(bool hasFactory)
    {
        using TestMeterFactory? factory = hasFactory ? new TestMeterFactory(shares: true) : null;
        using var reader = new MetricsReader(factory);
        (long Allocated, long Hits, long Misses) sum = default;
        for (int round = 0; round < 3; round++)
        {
            (WeakReference allocator, PixelPoolStatistics last) = UseAndDrop(factory, disposes: round == 1);
            sum = (sum.Allocated + last.AllocatedBytes, sum.Hits + last.Hits, sum.Misses + last.Misses);
            Collector.CollectAll();
            Assert.False(allocator.IsAlive, "something keeps a dropped allocator alive");
            IReadOnlyDictionary<string, double> metrics = reader.Read(_name);

            // What was idle or forgotten went back to the system when nobody could see it any more.
            Assert.Equal(metrics["pixelpool.allocated"], metrics["pixelpool.released"]);
            Assert.Equal(sum.Allocated, metrics["pixelpool.allocated"]);
            Assert.Equal(2 * (round + 1), metrics["pixelpool.leaks"]);
            Assert.Equal(3.0 * Block * (round + 1), metrics["pixelpool.leaked"]);
            Assert.Equal((sum.Hits, sum.Misses), (metrics["pixelpool.rents hit"], metrics["pixelpool.rents miss"]));
            Assert.Equal((0, 0, 0, 0), (metrics["pixelpool.rented"], metrics["pixelpool.idle"], metrics["pixelpool.budget"], metrics["pixelpool.charged"]));
        }

        using PixelAllocator living = Create(factory);
        using PixelBuffer<byte> image = living.Rent<byte>(Block, 1);
        Assert.Equal(sum.Allocated + Block, reader.Read(_name)["pixelpool.allocated"]);
    }

    // Between the collection that finds it dead and the moment it is gone, an allocator is neither forgotten nor counted twice.
    [Fact]
    public void Counters_do_not_fall_while_an_allocator_is_collected()
    {
        using var reader = new MetricsReader();
        (_, PixelPoolStatistics last) = UseAndDrop(null, disposes: false);
        for (int i = 0; i < 6; i++)
        {
            GC.Collect();
            Check();
            GC.WaitForPendingFinalizers();
            IReadOnlyDictionary<string, double> quiet = Check();
            Assert.Equal(quiet["pixelpool.allocated"] - quiet["pixelpool.released"], quiet["pixelpool.rented"] + quiet["pixelpool.idle"]);
        }

        // Instruments are read one after the other: while finalizers run they do not add up.
        IReadOnlyDictionary<string, double> Check()
        {
            IReadOnlyDictionary<string, double> metrics = reader.Read(_name);
            Assert.Equal((last.AllocatedBytes, last.Misses), (metrics["pixelpool.allocated"], metrics["pixelpool.rents miss"]));
            Assert.InRange(metrics["pixelpool.leaks"], 0, 2);
            return metrics;
        }
    }

    [Fact]
    public void Dropped_allocator_is_measured_while_a_buffer_of_it_lives()
    {
        using var reader = new MetricsReader();
        PixelBuffer<byte> survivor = RentFromDropped();
        Collector.CollectAll();
        Assert.Equal(2.0 * Block, reader.Read(_name)["pixelpool.rented"]);
        survivor.Dispose();
        IReadOnlyDictionary<string, double> metrics = reader.Read(_name);
        Assert.Equal((0, 2.0 * Block), (metrics["pixelpool.rented"], metrics["pixelpool.idle"] + metrics["pixelpool.released"]));
    }

    [Fact]
    public void Factory_that_is_gone_takes_its_metrics_with_it()
    {
        using var reader = new MetricsReader();
        WeakReference allocator = UseWithDisposedFactory();
        Collector.CollectAll();
        Assert.False(allocator.IsAlive);
        Assert.Empty(reader.Read(_name));
    }

    [Fact]
    public void Factory_that_throws_leaves_nothing_behind()
    {
        using var reader = new MetricsReader();
        Assert.Throws<InvalidOperationException>(() => Create(new ThrowingMeterFactory()));
        Collector.CollectAll();
        Assert.Empty(reader.Read(_name));
    }

    /// <summary>In a process of its own: in this one somebody listens already. Before the assembly of meters is loaded nobody can.</summary>
    [Fact]
    public void Counters_begin_when_somebody_can_listen() => ChildProcess.Run(ListenLate);

    private static void ListenLate()
    {
        UseAndEnd("Gone");
        Collector.CollectAll();
        using var allocator = PixelAllocator.Create(new PixelAllocatorOptions { Name = "Living" });
        allocator.Rent<byte>(4 << 20, 1).Dispose();
        ReadLate();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void UseAndEnd(string name)
    {
        using var allocator = PixelAllocator.Create(new PixelAllocatorOptions { Name = name });
        allocator.Rent<byte>(4 << 20, 1).Dispose();
    }

    // A method of its own: what it names is loaded when it is compiled.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadLate()
    {
        using var reader = new MetricsReader();
        Assert.True(SpinWait.SpinUntil(() => reader.Read("Living").ContainsKey("pixelpool.rents miss"), TimeSpan.FromMinutes(1)));
        Assert.Empty(reader.Read("Gone"));
        Assert.Equal(1, reader.Read("Living")["pixelpool.rents miss"]);
        UseAndEnd("Gone");
        Collector.CollectAll();
        Assert.Equal(1, reader.Read("Gone")["pixelpool.rents miss"]);
    }

    private PixelAllocator Create(System.Diagnostics.Metrics.IMeterFactory? factory) => _system.CreateAllocator(configure: options =>
    {
        options.Name = _name;
        options.MeterFactory = factory;
        options.MaxRentedBytes = 1 << 30;
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private (WeakReference Allocator, PixelPoolStatistics Last) UseAndDrop(TestMeterFactory? factory, bool disposes)
    {
        PixelAllocator allocator = Create(factory);
        allocator.Rent<byte>(Block, 4).Dispose();
        allocator.Rent<byte>(Block, 1).Dispose();
        _ = allocator.Rent<byte>(Block, 1);
        _ = allocator.Rent<byte>(Block, 2);
        if (disposes)
        {
            allocator.Dispose();
        }

        return (new WeakReference(allocator), allocator.GetStatistics());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private PixelBuffer<byte> RentFromDropped() => Create(null).Rent<byte>(Block, 2);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference UseWithDisposedFactory()
    {
        using var factory = new TestMeterFactory(shares: true);
        PixelAllocator allocator = Create(factory);
        allocator.Rent<byte>(Block, 1).Dispose();
        return new WeakReference(allocator);
    }

    private sealed class ThrowingMeterFactory : System.Diagnostics.Metrics.IMeterFactory
    {
        public System.Diagnostics.Metrics.Meter Create(System.Diagnostics.Metrics.MeterOptions options) => throw new InvalidOperationException();

        public void Dispose()
        {
        }
    }
}
