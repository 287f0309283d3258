using System.Diagnostics.Tracing;
using PixelPool.Accounts;
using PixelPool.Diagnostics;
using PixelPool.Tests.Allocations;
using PixelPool.Tests.Infrastructure;
using Keywords = PixelPool.Diagnostics.PixelPoolEventSource.Keywords;

namespace PixelPool.Tests.Diagnostics.Events;

/// <summary>Memory that comes from the system, and memory that goes back, is told with its reason, and nothing else is.</summary>
public sealed class MemoryEventTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly string _name = $"{nameof(MemoryEventTests)} {Guid.NewGuid():N}";
    private readonly TestSystem _system = new();
    private readonly EventRecorder _recorder;

    public MemoryEventTests() => _recorder = new EventRecorder(_name).Enable(EventLevel.Informational, Keywords.Memory);

    public void Dispose()
    {
        _recorder.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void Misses_and_trims_are_told_hits_and_small_arrays_are_not()
    {
        using PixelAllocator allocator = Create();
        allocator.Rent<byte>(Block, 3).Dispose();
        allocator.Rent<byte>(Block, 2).Dispose();
        allocator.Rent<byte>(Block, 4).Dispose();
        allocator.Rent<byte>(16, 16).Dispose();
        allocator.TrimTo(Block);
        allocator.TrimTo(Block);
        allocator.Trim();
        Assert.Equal([$"Allocated {3 * Block}", $"Allocated {Block}", $"Trimmed {3 * Block} Request", $"Trimmed {Block} Request"], _recorder.Lines);
    }

    [Fact]
    public void Unpooled_memory_is_allocated_and_dropped()
    {
        using PixelAllocator allocator = Create(capacityInBlocks: 1);
        allocator.Rent<byte>(1000, 150).Dispose();
        Assert.Equal(["Allocated 150000", "Dropped 150000 Unpooled"], _recorder.Lines);
    }

    [Fact]
    public void What_an_allocator_holds_when_it_is_disposed_goes_back_in_two_ways()
    {
        PixelAllocator allocator = Create();
        PixelBuffer<byte> late = allocator.Rent<byte>(Block, 2);
        allocator.Rent<byte>(Block, 1).Dispose();
        IDisposable lateRun = allocator.Rent<byte>(Block, 3, AllocationOptions.Contiguous);
        _recorder.Forget();
        allocator.Dispose();
        late.Dispose();
        lateRun.Dispose();
        long run = _recorder.Events[^1].Bytes;
        Assert.Equal([$"Trimmed {Block} Disposal", $"Dropped {2 * Block} Disposed", $"Dropped {run} Disposed"], _recorder.Lines);
    }

    [Fact]
    public void Timer_is_a_reason()
    {
        using PixelAllocator allocator = Create(configure: static options => options.TrimPolicy = TrimPolicy.Halving(TimeSpan.FromSeconds(2), 0.5));
        allocator.Rent<byte>(Block, 8).Dispose();
        _system.Time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal([$"Allocated {8 * Block}", $"Trimmed {4 * Block} Timer"], _recorder.Lines);
    }

    // Without timers: a collection may come by itself, also while time goes on.
    [Fact]
    public void Collections_and_pressure_are_reasons()
    {
        using PixelAllocator allocator = Create(configure: static options =>
        {
            options.TrimPolicy = TrimPolicy.Halving(TimeSpan.FromSeconds(2), 0.5);
            options.ListensToCollections = true;
        });
        _system.Time.TimersAreStuck = true;
        allocator.Rent<byte>(Block, 8).Dispose();
        _system.Time.Advance(TimeSpan.FromSeconds(2));
        Collector.CollectAll();
        _system.Pressure.High = true;
        Collector.CollectAll();
        Assert.Equal([$"Allocated {8 * Block}", $"Trimmed {4 * Block} Gen2", $"Trimmed {4 * Block} Pressure"], _recorder.Lines);
    }

    [Fact]
    public void Memory_that_another_request_needs_is_a_reason()
    {
        using TestSystem system = TestSystem.Alone();
        using PixelAllocator allocator = PixelAllocator.Create(system.Options(configure: options => options.Name = _name));
        allocator.Rent<byte>(Block, 2).Dispose();
        system.Source.FailNext(2);
        using PixelBuffer<byte> needy = allocator.Rent<byte>(Block, 3);
        Assert.Equal([$"Allocated {2 * Block}", $"Trimmed {2 * Block} OutOfMemory", $"Allocated {3 * Block}"], _recorder.Lines);
    }

    [Fact]
    public void Idle_memory_of_another_shape_is_dropped()
    {
        using PixelAllocator allocator = Create(capacityInBlocks: 4);
        allocator.Rent<byte>(Block, 4).Dispose();
        _recorder.Forget();
        allocator.Rent<byte>(Block, 2, AllocationOptions.Contiguous).Dispose();
        Assert.Equal([$"Dropped {2 * Block} Unwieldy", $"Allocated {2 * Block}"], _recorder.Lines);
    }

    // One reader could keep the whole account of a pool from the events alone.
    [Theory]
    [InlineData(false, SmallBufferStrategy.Slab)]
    [InlineData(true, SmallBufferStrategy.Slab)]
    [InlineData(true, SmallBufferStrategy.None)]
    public void Events_add_up_to_the_statistics(bool divisible, SmallBufferStrategy small)
    {
        int seed = Environment.ProcessId;
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using var system = new TestSystem(divisible: divisible);

        // Where no block can be had, small images are arrays, of which there are no events: not with as much room.
        int capacityInBlocks = small == SmallBufferStrategy.Slab ? 256 : 16;
        PixelAllocator allocator = PixelAllocator.Create(system.Options(capacityInBlocks, options => (options.Name, options.SmallBuffers) = (_name, small)));
        var held = new List<IDisposable>();
        for (int i = 0; i < 500; i++)
        {
            AllocationOptions how = random.Next(3) == 0 ? AllocationOptions.Contiguous : AllocationOptions.None;
            held.Add(allocator.Rent<byte>(random.Next(1, 2 * Block), random.Next(1, 8), how));
            while (held.Count > random.Next(6))
            {
                int index = random.Next(held.Count);
                held[index].Dispose();
                held.RemoveAt(index);
            }

            if (random.Next(20) == 0)
            {
                allocator.TrimTo(random.Next(8) * Block);
            }

            AssertBalanced(allocator);
        }

        allocator.Dispose();
        AssertBalanced(allocator);
        held.ForEach(static image => image.Dispose());
        AssertBalanced(allocator);
        Assert.Equal(0, system.Source.LiveBytes);
        Assert.Equal(_recorder.Sum("Allocated"), _recorder.Sum("Trimmed") + _recorder.Sum("Dropped"));
    }

    [Fact]
    public void Listener_may_use_the_allocator_and_throw()
    {
        using PixelAllocator allocator = Create();
        using var meddler = new Meddler(() => allocator.Rent<byte>(Block, 1).Dispose());
        allocator.Rent<byte>(Block, 1).Dispose();
        allocator.Trim();
        Assert.True(meddler.Calls > 0);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal(0, statistics.RentedBytes);
    }

    /// <summary>The runtime asks it for its message where it has caught it.</summary>
    [Fact]
    public void Listener_may_throw_what_cannot_say_what_it_is()
    {
        using PixelAllocator allocator = Create(capacityInBlocks: 8);
        using var meddler = new Meddler(static () => throw new EndlessException());
        allocator.Rent<byte>(Block, 2).Dispose();
        allocator.Rent<byte>(Block, 2, AllocationOptions.Contiguous).Dispose();
        allocator.Rent<byte>(Block, 20).Dispose();
        allocator.Trim();
        Assert.True(meddler.Calls > 0);
        StatisticsAssert.Balanced(allocator.GetStatistics());
        Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
        Assert.Equal(0, _system.Source.LiveBytes);
    }

    [Fact]
    public void Nothing_is_allocated_for_events_that_nobody_listens_to()
    {
        _recorder.Disable();
        using PixelAllocator allocator = Create(capacityInBlocks: 2, static options => options.BlockSource = null); // the fake one allocates
        AllocationMeter.AssertAllocates(64, () => allocator.Rent<byte>(1000, 250).Dispose());

        // Without a block there is no region, and the next one is a new object. This one has two places.
        allocator.Rent<byte>(Block, 2).Dispose();
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 1);
        AllocationMeter.AssertAllocates(64, () =>
        {
            allocator.Rent<byte>(Block, 1).Dispose();
            allocator.Trim();
        });
        Assert.Empty(_recorder.Events);
    }

    [Fact]
    public void Each_reason_of_a_trim_is_told_by_its_name()
    {
        TrimReason[] reasons = Enum.GetValues<TrimReason>();
        var told = new Told(_name);
        foreach (TrimReason reason in reasons)
        {
            told.OnTrimmed(1, reason);
        }

        Assert.Equal(reasons.Select(static reason => $"Trimmed 1 {reason}"), _recorder.Lines);
    }

    private PixelAllocator Create(int capacityInBlocks = 64, Action<PixelAllocatorOptions>? configure = null) => _system.CreateAllocator(capacityInBlocks, options =>
    {
        options.Name = _name;
        configure?.Invoke(options);
    });

    private void AssertBalanced(PixelAllocator allocator)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal(statistics.AllocatedBytes - statistics.ReleasedBytes, _recorder.Sum("Allocated") - _recorder.Sum("Trimmed") - _recorder.Sum("Dropped"));
        Assert.Equal(statistics.AllocatedBytes, _recorder.Sum("Allocated"));
        Assert.Equal(statistics.TrimmedBytes, _recorder.Events.Where(static recorded => recorded.Name == "Trimmed" && recorded.Payload[2] as string != "Disposal").Sum(static recorded => recorded.Bytes));
    }

    private sealed class Told(string name) : MemoryEvents(name);

    private sealed class Meddler : EventListener
    {
        private readonly Action _meddle;
        private bool _inside;

        public Meddler(Action meddle)
        {
            _meddle = meddle;
            EnableEvents(EventRecorder.Source, EventLevel.Informational);
        }

        public int Calls { get; private set; }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (_inside || eventData.EventSource is not PixelPoolEventSource)
            {
                return;
            }

            _inside = true;
            Calls++;
            try
            {
                _meddle();
            }
            finally
            {
                _inside = false;
            }

            throw new InvalidOperationException("a listener that fails");
        }
    }
}
