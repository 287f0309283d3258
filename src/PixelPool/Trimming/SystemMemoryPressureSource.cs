using System.Runtime.InteropServices;

namespace PixelPool.Trimming;

/// <summary>The source that fits the operating system. It is made when it is asked first: to open files takes a short program as long as its first image.</summary>
internal sealed class SystemMemoryPressureSource : MemoryPressureSource
{
    private MemoryPressureSource? _source;

    public override bool IsLimited => Source.IsLimited;

    private MemoryPressureSource Source => Volatile.Read(ref _source) ?? Interlocked.CompareExchange(ref _source, Create(), null) ?? _source!;

    public static MemoryPressureSource Create() =>
        RuntimeInformation.IsOSPlatform(OSPlatform.Linux)
            ? new LinuxMemoryPressureSource(string.Empty, RuntimeMemoryPressureSource.ReadAvailableBytes)
            : new RuntimeMemoryPressureSource();

    public override long GetAvailableBytes() => Source.GetAvailableBytes();

    public override bool IsHigh() => Source.IsHigh();
}
