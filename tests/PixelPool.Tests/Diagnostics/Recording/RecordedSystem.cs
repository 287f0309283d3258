using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Recording;

/// <summary>An allocator and a recorder on a clock and a resident memory that the test sets.</summary>
internal sealed class RecordedSystem : IDisposable
{
    public static readonly TimeSpan Period = TimeSpan.FromMilliseconds(10);

    private readonly TestSystem _system = new();

    /// <param name="configure">Changes the allocator's options.</param>
    public RecordedSystem(Action<PixelAllocatorOptions>? configure = null) => Allocator = _system.CreateAllocator(configure: options =>
    {
        options.Name = "recorded";
        configure?.Invoke(options);
    });

    public PixelAllocator Allocator { get; }

    /// <summary>Of the recorder alone: the allocator has one of its own.</summary>
    public ManualTime Time { get; } = new();

    public long ResidentBytes { get; set; } = 1 << 20;

    public MemoryRecorderOptions Options => new() { Period = Period, TimeProvider = Time, ResidentBytes = () => ResidentBytes };

    public MemoryRecorder Start() => MemoryRecorder.Start(Allocator, Options);

    public PixelBuffer<byte> RentBlocks(int count) => Allocator.Rent<byte>(TestSystem.BlockBytes, count);

    public void Dispose()
    {
        Allocator.Dispose();
        _system.Dispose();
    }
}
