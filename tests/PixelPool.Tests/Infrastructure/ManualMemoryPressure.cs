namespace PixelPool.Tests.Infrastructure;

/// <summary>Memory that is as large and as short as a test says.</summary>
internal sealed class ManualMemoryPressure : MemoryPressureSource
{
    private int _questions;

    public long AvailableBytes { get; set; } = 1L << 30;

    public bool High { get; set; }

    /// <summary>Thrown by every question, when set.</summary>
    public Exception? Failure { get; set; }

    /// <summary>How often somebody asked whether memory is short.</summary>
    public int Questions => Volatile.Read(ref _questions);

    public override long GetAvailableBytes() => Failure is null ? AvailableBytes : throw Failure;

    public override bool IsHigh()
    {
        Interlocked.Increment(ref _questions);
        return Failure is null ? High : throw Failure;
    }
}
