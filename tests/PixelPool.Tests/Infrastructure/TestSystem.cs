using PixelPool.Accounts;
using PixelPool.Pooling;
using PixelPool.Trimming;

namespace PixelPool.Tests.Infrastructure;

/// <summary>
/// What a pool or an allocator of a test lives in: memory, a clock and a memory pressure of its own, and small sizes, so that tests are cheap.
/// Disposing it fails the test when memory was freed wrongly.
/// </summary>
internal sealed class TestSystem : IDisposable
{
    /// <summary>Bytes of a block: the smallest that is allowed.</summary>
    public const int BlockBytes = 64 << 10;

    /// <summary>Images of at most this many bytes come from the small tier.</summary>
    public const int SmallBytes = 4 << 10;

    /// <summary>Bytes of an unpooled piece.</summary>
    public const int UnpooledBytes = 128 << 10;

    private int _pauses;

    /// <param name="zeroed">Whether fresh memory reads as zero, and the source says so.</param>
    /// <param name="divisible">Whether parts of a piece may be freed, and blocks moved.</param>
    public TestSystem(bool zeroed = true, bool divisible = false)
        : this(new FakeBlockSource(zeroed, divisible))
    {
    }

    /// <param name="source">Its memory.</param>
    public TestSystem(FakeBlockSource source) => Source = source;

    /// <summary>
    /// A system for tests of what happens when memory runs out: then every pool of the process is asked for idle memory, so those that other tests
    /// left, and the shared one, must have none.
    /// </summary>
    public static TestSystem Alone(bool divisible = false)
    {
        Collector.CollectAll();
        DepotTrimmer.TrimAll(TrimReason.Request);
        return new TestSystem(divisible: divisible);
    }

    public FakeBlockSource Source { get; }

    /// <summary>Its new timers fire at once, so that <see cref="PixelAllocatorOptions.RentTimeout"/> is over at once; <see cref="ManualTime.Advance(TimeSpan)"/> serves trimming.</summary>
    public ManualTime Time { get; } = new() { FireNewTimersAtOnce = true };

    /// <summary>How often a request that the system refused has paused. It does not wait.</summary>
    public int Pauses => Volatile.Read(ref _pauses);

    /// <summary>Called instead of a pause, on the thread that pauses.</summary>
    public Action<TimeSpan>? OnPause { get; set; }

    public ManualMemoryPressure Pressure { get; } = new();

    /// <summary>Whether collections trim. Off unless a test is about them: they come when they like.</summary>
    public bool ListensToCollections { get; init; }

    /// <summary>Small sizes, no trimming unless <paramref name="configure"/> asks for it.</summary>
    public PixelAllocatorOptions Options(int capacityInBlocks = 64, Action<PixelAllocatorOptions>? configure = null)
    {
        var options = new PixelAllocatorOptions
        {
            BlockBytes = BlockBytes,
            SmallBufferThresholdBytes = SmallBytes,
            UnpooledBlockBytes = UnpooledBytes,
            MaxPooledBytes = (long)capacityInBlocks * BlockBytes,
            TrimPolicy = TrimPolicy.None,
            TimeProvider = Time,
            MemoryPressure = Pressure,
            BlockSource = Source,
            ListensToCollections = ListensToCollections,
            Pause = Pause,
        };
        configure?.Invoke(options);
        return options;
    }

    public UniformUnmanagedMemoryPool CreatePool(int capacityInBlocks = 64, Action<PixelAllocatorOptions>? configure = null) =>
        new(Options(capacityInBlocks, configure));

    public UniformUnmanagedMemoryPool CreatePool(TrimPolicy policy, int capacityInBlocks = 64) =>
        CreatePool(capacityInBlocks, options => options.TrimPolicy = policy);

    public PixelAllocator CreateAllocator(int capacityInBlocks = 64, Action<PixelAllocatorOptions>? configure = null) =>
        PixelAllocator.Create(Options(capacityInBlocks, configure));

    public void Dispose() => Source.Dispose();

    private void Pause(TimeSpan atMost)
    {
        Interlocked.Increment(ref _pauses);
        OnPause?.Invoke(atMost);
    }
}
