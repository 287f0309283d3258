namespace Everywhere.Exercise;

/// <summary>A system that tells nothing.</summary>
internal sealed class SilentPressure : MemoryPressureSource
{
    public override long GetAvailableBytes() => 0;

    public override bool IsHigh() => false;
}
