namespace PixelPool.Tests.Application;

/// <summary>A source of memory pressure that may throw from every member.</summary>
internal sealed class FaultyMemoryPressure(ApplicationFault fault) : MemoryPressureSource
{
    public bool High { get; set; }

    public override bool IsLimited
    {
        get
        {
            fault.Call("MemoryPressureSource.IsLimited");
            return false;
        }
    }

    public override long GetAvailableBytes()
    {
        fault.Call("MemoryPressureSource.GetAvailableBytes");
        return 1L << 30;
    }

    public override bool IsHigh()
    {
        fault.Call("MemoryPressureSource.IsHigh");
        return High;
    }
}
