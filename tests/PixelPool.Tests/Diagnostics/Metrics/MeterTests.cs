using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics.Metrics;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Threading;

namespace PixelPool.Tests.Diagnostics.Metrics;

/// <summary>What the meter says is what the statistics say.</summary>
public sealed class MeterTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly string _name = $"{nameof(MeterTests)} {Guid.NewGuid():N}";
    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    public enum Origin
    {
        Process,
        Factory,
        SharingFactory,
    }

    [Theory]
    [InlineData(Origin.Process)]
    [InlineData(Origin.Factory)]
    [InlineData(Origin.SharingFactory)]
    public async Task Metrics_equal_statistics(Origin origin)
    {
        using TestMeterFactory? factory = origin == Origin.Process ? null : new TestMeterFactory(shares: origin == Origin.SharingFactory);
        using var reader = new MetricsReader(factory);
        using PixelAllocator allocator = Create(factory, 15);
        Check();

        // So many that each trim finds some, also if the thread is moved to other processors and their stripes are trimmed one by one.
        var held = new List<IDisposable>();
        allocator.Rent<byte>(Block, 12).Dispose();                      // miss
        allocator.Rent<byte>(Block, 3).Dispose();                       // hit
        held.Add(allocator.Rent<byte>(Block, 2));                       // hit
        held.Add(allocator.Rent<byte>(50, 20));                         // small
        held.Add(allocator.Rent<byte>(1000, 1000));                     // unpooled
        Assert.False(allocator.TryRent<byte>(1000, 10_000, out _));     // over the budget
        Check();

        allocator.TrimTo(8 * Block);                                    // by request
        Check();
        _system.Time.Advance(TimeSpan.FromSeconds(2));                  // by timer
        Check();
        _system.Pressure.High = true;
        _system.Time.Advance(TimeSpan.FromSeconds(2));                  // by pressure
        Check();

        Leak(allocator);
        Collector.CollectAll();
        Check();
        await Wait(allocator, held, Check);
        held.ForEach(static image => image.Dispose());
        Check();

        PixelPoolStatistics all = allocator.GetStatistics();
        Assert.True(all is { Hits: 2, SmallRents: 1, UnpooledRents: 2, LeakedCount: 2, BudgetRefusals: > 0, Waits: 1, TrimmedByRequestBytes: > 0, TrimmedByTimerBytes: > 0, TrimmedByPressureBytes: > 0 }, all.ToString());

        void Check() => Assert.Equal(ExpectedMetrics.Of(allocator.GetStatistics()), reader.Read(_name));
    }

    [Fact]
    public void Every_figure_has_its_instrument()
    {
        PixelPoolStatistics distinct = Distinct();
        using var factory = new TestMeterFactory(shares: false);
        using var reader = new MetricsReader(factory);
        var statistics = new Dictionary<string, PixelPoolStatistics> { ["with"] = distinct, ["without"] = distinct with { BudgetBytes = null } };
        _ = new PixelPoolInstruments(figure => statistics.ToDictionary(static name => name.Key, name => figure.Value(name.Value)), factory.Create(new MeterOptions("PixelPool")));
        Assert.Equal(ExpectedMetrics.Of(distinct), reader.Read("with"));
        Assert.Equal(ExpectedMetrics.Of(distinct with { BudgetBytes = null }), reader.Read("without"));
        Assert.Equal(24 + 22, reader.ReadAll().Count);
    }

    [Fact]
    public async Task Waits_that_end_are_recorded_with_how_they_ended()
    {
        using var factory = new TestMeterFactory(shares: true);
        using var reader = new MetricsReader(factory);
        using PixelAllocator allocator = _system.CreateAllocator(configure: options => (options.Name, options.MeterFactory, options.MaxRentedBytes) = (_name, factory, Block));
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        using var cancelled = new CancellationTokenSource();
        Task<PixelBuffer<byte>> given = allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Task<PixelBuffer<byte>> ended = allocator.RentAsync<byte>(Block, 1, cancellationToken: cancelled.Token).AsTask();
        _system.Time.Advance(TimeSpan.FromSeconds(7));
        Assert.Equal((7.0, 2.0), (reader.Read(_name)["pixelpool.longest_wait"], reader.Read(_name)["pixelpool.long_waits"]));
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => ended.SoonAsync());
        held.Dispose();
        (await given.SoonAsync()).Dispose();
        Assert.Equal([(_name, "cancelled", 7.0), (_name, "granted", 7.0)], reader.Waits);
    }

    [Fact]
    public async Task What_a_listener_to_waits_throws_takes_nothing_from_who_waited()
    {
        using var factory = new TestMeterFactory(shares: true);
        using var listener = new MeterListener();
        ListenTo(factory, listener);
        listener.SetMeasurementEventCallback<double>(static (_, _, _, _) => throw new InvalidTimeZoneException());
        listener.Start();
        using PixelAllocator allocator = _system.CreateAllocator(configure: options => (options.Name, options.MeterFactory, options.MaxRentedBytes) = (_name, factory, Block));
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        Task<PixelBuffer<byte>> given = allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        held.Dispose();
        (await given.SoonAsync()).Dispose();
        Assert.Equal(0, allocator.GetStatistics().ChargedBytes);
    }

    /// <summary>Who heard of an instrument before gets its measurements all the same, of waits as of everything else.</summary>
    [Fact]
    public async Task What_a_listener_to_instruments_throws_takes_no_measurement_from_another()
    {
        using var factory = new TestMeterFactory(shares: true);
        using var reader = new MeterListener();
        using var throwing = new MeterListener();
        int waits = 0;
        ListenTo(factory, reader);
        reader.SetMeasurementEventCallback<double>((instrument, _, _, _) => waits += instrument.Name == "pixelpool.wait_time" ? 1 : 0);
        throwing.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter.Scope == factory)
            {
                throw new InvalidTimeZoneException();
            }
        };
        reader.Start();
        throwing.Start();
        using PixelAllocator allocator = _system.CreateAllocator(configure: options => (options.Name, options.MeterFactory, options.MaxRentedBytes) = (_name, factory, Block));
        PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        Task<PixelBuffer<byte>> given = allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        held.Dispose();
        (await given.SoonAsync()).Dispose();
        Assert.Equal(1, waits);
    }

    /// <summary>In a process of its own: its meter is made once.</summary>
    [Fact]
    public void What_a_listener_to_instruments_throws_ends_no_allocator() => ChildProcess.Run(CreateBesideThrowingListener);

    [Fact]
    public void Figures_of_several_allocators_are_summed()
    {
        foreach (Figure figure in Figure.All)
        {
            Assert.Equal(figure.Instrument == "longest_wait" ? 7 : 12, figure.Plus(5, 7));
            Assert.Equal((7, 7, null), (figure.Plus(null, 7), figure.Plus(7, null), figure.Plus(null, null)));
        }

        // Several that have the largest budget do not have less than none.
        Figure budget = Assert.Single(Figure.All, static figure => figure.Instrument == "budget");
        Assert.Equal(long.MaxValue, budget.Plus(long.MaxValue, long.MaxValue));
    }

    // A figure that is added to the statistics is measured, or named here.
    [Fact]
    public void Every_figure_is_measured()
    {
        string[] unmeasured = ["PeakHeldBytes", "AssembledRents", "TouchedBytes", "HugePageBytes", "Waits", "WaitTime"];
        int figures = typeof(PixelPoolStatistics).GetProperties().Count(property => property.CanWrite && !unmeasured.Contains(property.Name));
        Assert.Equal(Figure.Count, Figure.All.Length);
        Assert.Equal(figures, Figure.All.Select(static figure => figure.Value(Distinct())).Distinct().Count());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Allocators_of_one_name_are_one_measurement(bool hasFactory)
    {
        using TestMeterFactory? factory = hasFactory ? new TestMeterFactory(shares: true) : null;
        using var reader = new MetricsReader(factory);
        using PixelAllocator first = Create(factory, 8);
        using PixelAllocator second = Create(factory, 8);
        using PixelAllocator other = _system.CreateAllocator(8, options => (options.Name, options.MeterFactory) = (_name + "'", factory));
        using PixelBuffer<byte> one = first.Rent<byte>(Block, 3);
        using PixelBuffer<byte> two = second.Rent<byte>(Block, 4);
        using PixelBuffer<byte> three = other.Rent<byte>(Block, 5);
        IReadOnlyDictionary<string, double> added = ExpectedMetrics.Of(second.GetStatistics());
        Assert.Equal(ExpectedMetrics.Of(first.GetStatistics()).ToDictionary(static metric => metric.Key, metric => metric.Value + added[metric.Key]), reader.Read(_name));
        Assert.Equal(ExpectedMetrics.Of(other.GetStatistics()), reader.Read(_name + "'"));
        Assert.Equal(hasFactory ? 1 : 0, factory?.Meters ?? 0);
    }

    [Fact]
    public void Allocators_without_a_name_are_told_apart_from_the_shared_one()
    {
        using var reader = new MetricsReader();
        using PixelAllocator unnamed = PixelAllocator.Create(_system.Options());
        using PixelBuffer<byte> image = unnamed.Rent<byte>(Block, 1);
        PixelPoolStatistics shared = PixelAllocator.Shared.GetStatistics();
        Assert.Equal(shared.Rents, reader.Read("Shared").Where(static value => value.Key.StartsWith("pixelpool.rents", StringComparison.Ordinal)).Sum(static value => value.Value));
        Assert.InRange(reader.Read("PixelAllocator")["pixelpool.rented"], Block, double.MaxValue);
    }

    [Fact]
    public void Allocator_with_a_factory_is_not_measured_by_the_process()
    {
        using var factory = new TestMeterFactory(shares: false);
        using var process = new MetricsReader();
        using var own = new MetricsReader(factory);
        using PixelAllocator first = Create(factory, 8);
        using PixelAllocator second = Create(factory, 8);
        Assert.Equal(2, factory.Meters);
        Assert.Empty(process.Read(_name));
        Assert.Equal(2 * own.Instruments.Select(static instrument => instrument.Name).Distinct().Count(), own.Instruments.Count);
    }

    [Fact]
    public void Collection_beside_running_rents_never_sees_a_counter_fall()
    {
        using var factory = new TestMeterFactory(shares: true);
        using var reader = new MetricsReader(factory);
        using PixelAllocator allocator = Create(factory, 8);
        bool stop = false;
        var worker = new Thread(() =>
        {
            while (!Volatile.Read(ref stop))
            {
                allocator.Rent<byte>(Block, 3).Dispose();
                allocator.Rent<byte>(10, 10).Dispose();
                allocator.Trim();
            }
        });
        worker.Start();
        IReadOnlyDictionary<string, double> before = reader.Read(_name);
        for (int i = 0; i < 200; i++)
        {
            IReadOnlyDictionary<string, double> now = reader.Read(_name);
            Assert.All(now.Where(static value => ExpectedMetrics.IsCounter(value.Key)), value => Assert.True(value.Value >= before[value.Key], value.Key));
            before = now;
        }

        Volatile.Write(ref stop, true);
        worker.Join();
        Assert.Equal(ExpectedMetrics.Of(allocator.GetStatistics()), reader.Read(_name));
    }

    private PixelAllocator Create(IMeterFactory? factory, int capacityInBlocks) => _system.CreateAllocator(capacityInBlocks, options =>
    {
        options.Name = _name;
        options.MeterFactory = factory;
        options.MaxRentedBytes = 8 << 20;
        options.TrimPolicy = TrimPolicy.Halving(TimeSpan.FromSeconds(2), 0.5);
    });

    // A number of its own in every figure.
    private static void CreateBesideThrowingListener()
    {
        var published = new List<string>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter.Name == "PixelPool")
            {
                // May rent itself, too.
                using PixelAllocator inner = PixelAllocator.Create();
                inner.Rent<byte>(10, 10).Dispose();
                published.Add(instrument.Name);
                throw published.Count % 2 == 0 ? new InvalidTimeZoneException() : new ThreadInterruptedException();
            }
        };
        listener.Start();
        using (PixelAllocator first = PixelAllocator.Create())
        {
            Assert.True(PendingInterrupt.Take());
            first.Rent<byte>(10, 10).Dispose();
        }

        PixelAllocator.Create().Dispose();
        PixelAllocator.Shared.Rent<byte>(10, 10).Dispose();
        Assert.Equal(17, published.Distinct().Count());
        Assert.Equal(17, published.Count);
    }

    private static PixelPoolStatistics Distinct()
    {
        object statistics = default(PixelPoolStatistics);
        long next = 1000;
        foreach (var property in typeof(PixelPoolStatistics).GetProperties().Where(static property => property.CanWrite))
        {
            property.SetValue(statistics, property.PropertyType == typeof(TimeSpan) ? TimeSpan.FromSeconds(next) : next);
            next += 1;
        }

        return (PixelPoolStatistics)statistics;
    }

    // A request that waits, and then has waited.
    private static async Task Wait(PixelAllocator allocator, List<IDisposable> held, Action check)
    {
        Task<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(1000, 8000, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.Equal(1, allocator.GetStatistics().WaitingRents);
        check();
        held[^1].Dispose();
        held.RemoveAt(held.Count - 1);
        (await waiting.SoonAsync()).Dispose();
        check();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Leak(PixelAllocator allocator)
    {
        _ = allocator.Rent<byte>(Block, 1);
        _ = allocator.Rent<byte>(Block, 2);
    }

    private static void ListenTo(TestMeterFactory factory, MeterListener listener) => listener.InstrumentPublished = (instrument, listener) =>
    {
        if (instrument.Meter.Scope == factory)
        {
            listener.EnableMeasurementEvents(instrument);
        }
    };
}
