using PixelPool.Diagnostics;

namespace PixelPool.Recording.Tests;

/// <summary>An allocator and a recorder on a clock and a resident memory that the test sets.</summary>
internal sealed class RecordedSystem : IDisposable
{
    /// <summary>Bytes of a block: the smallest that is allowed.</summary>
    public const int BlockBytes = 64 << 10;

    public static readonly TimeSpan Period = TimeSpan.FromMilliseconds(10);

    /// <param name="configure">Changes the allocator's options.</param>
    public RecordedSystem(Action<PixelAllocatorOptions>? configure = null)
    {
        var options = new PixelAllocatorOptions
        {
            Name = "recorded",
            BlockBytes = BlockBytes,
            SmallBufferThresholdBytes = 4 << 10,
            MaxPooledBytes = 64 * BlockBytes,
            TrimPolicy = TrimPolicy.None,
            TimeProvider = new ManualTime(),
        };
        configure?.Invoke(options);
        Allocator = PixelAllocator.Create(options);
    }

    public PixelAllocator Allocator { get; }

    /// <summary>Of the recorder alone: the allocator has one of its own.</summary>
    public ManualTime Time { get; } = new();

    public long ResidentBytes { get; set; } = 1 << 20;

    public MemoryRecorderOptions Options => new() { Period = Period, TimeProvider = Time, ResidentBytes = () => ResidentBytes };

    public MemoryRecorder Start() => MemoryRecorder.Start(Allocator, Options);

    public PixelBuffer<byte> RentBlocks(int count) => Allocator.Rent<byte>(BlockBytes, count);

    public void Dispose() => Allocator.Dispose();
}
