using System.Runtime.InteropServices;
using Imaging.Codecs;
using Imaging.Memory;
using Imaging.Thumbnails;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Reporting;
using PixelPool.Diagnostics;
using PixelPool.Measuring;

namespace LoadResizeSave.Tests.Reporting;

/// <summary>The kernel adds pages up in portions, and may know of a lower peak than what was resident at some moment.</summary>
public sealed class PeakTests
{
    private const int Bytes = 64 << 20;

    [Fact]
    public void The_peak_of_a_run_is_not_below_a_moment_of_it()
    {
        using var recorder = MemoryRecorder.Start(null);
        long resident = 0;
        WithMoreMemory(() => resident = recorder.Mark("last photo").Sample.ResidentBytes);
        Assert.InRange(new RunResult(SomeSettings(), new RunTotals(), TimeSpan.Zero, default, null, recorder.Stop()) { Hash = null }.PeakResident, resident, long.MaxValue);
    }

    [Fact]
    public void The_peak_is_not_below_what_was_shown_meanwhile()
    {
        long shown = 0;
        WithMoreMemory(() => shown = ResidentMemory.Current());
        Assert.InRange(ResidentMemory.Peak(), shown, long.MaxValue);
    }

    /// <summary>Afterwards the kernel has forgotten that there was more.</summary>
    private static unsafe void WithMoreMemory(Action look)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux forgets peaks.");
        void* memory = NativeMemory.Alloc(Bytes);
        NativeMemory.Fill(memory, Bytes, 1);
        ResidentMemory.ResetPeak();
        look();
        NativeMemory.Free(memory);
        KernelForgetsPeak();
    }

    private static void KernelForgetsPeak() => File.WriteAllText("/proc/self/clear_refs", "5");

    private static Settings SomeSettings() => new()
    {
        Input = null,
        Output = "thumbnails",
        Allocator = AllocatorKind.Gc,
        Format = ImageCodecs.Bmp,
        Size = 1,
        Parallelism = 1,
        Repetitions = 1,
        LeakEvery = 0,
        WatchIdle = false,
    };
}
