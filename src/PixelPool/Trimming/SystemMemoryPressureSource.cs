using System.Runtime.InteropServices;

namespace PixelPool.Trimming;

/// <summary>
/// The source that fits the operating system. It is made when it is asked first: to open files takes a short program as long as its first image. While the process cannot open them, it is made anew each
/// time.
/// </summary>
internal sealed class SystemMemoryPressureSource : MemoryPressureSource
{
    private MemoryPressureSource? _source;

    public override bool IsLimited => Source.IsLimited;

    private MemoryPressureSource Source
    {
        get
        {
            MemoryPressureSource source = Volatile.Read(ref _source) ?? Create();
            if (source is not LinuxMemoryPressureSource { IsTelling: false })
            {
                Volatile.Write(ref _source, source);
            }

            return source;
        }
    }

    public static MemoryPressureSource Create() =>
        RuntimeInformation.IsOSPlatform(OSPlatform.Linux)
            ? new LinuxMemoryPressureSource(string.Empty, RuntimeMemoryPressureSource.ReadAvailableBytes)
            : new RuntimeMemoryPressureSource();

    public override long GetAvailableBytes() => Source.GetAvailableBytes();

    public override bool IsHigh() => Source.IsHigh();
}
