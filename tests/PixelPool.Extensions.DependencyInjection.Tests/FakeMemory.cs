namespace PixelPool.Extensions.DependencyInjection.Tests;

/// <summary>A container of a size that a test chooses, or a machine of that size.</summary>
internal sealed class FakeMemory(long availableBytes, bool isLimited) : MemoryPressureSource
{
    public override bool IsLimited => isLimited;

    public override long GetAvailableBytes() => availableBytes;

    public override bool IsHigh() => false;
}
