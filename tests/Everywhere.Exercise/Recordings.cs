using System.Globalization;
using PixelPool.Diagnostics;

namespace Everywhere.Exercise;

/// <summary>Memory over time, from a package of its own.</summary>
internal static class Recordings
{
    public static void AreDrawn()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using MemoryRecorder recorder = MemoryRecorder.Start(allocator);
        using (allocator.Rent<uint>(2000, 1000))
        {
            recorder.Mark("one image");
        }

        MemoryRecording recording = recorder.Stop();
        Checks.Contains("one image", recording.ToSvg());
        using var csv = new StringWriter(CultureInfo.InvariantCulture);
        recording.WriteCsv(csv);
        Checks.Contains("8388608", csv.ToString());
    }
}
