using PixelPool.Diagnostics;

namespace PixelPool.Recording.Tests;

/// <summary>The snippet of the package's page, compiled and run. The tests of the pages compare it with the page.</summary>
public sealed class PackagePageTests
{
    [Fact]
    public void A_run_is_drawn()
    {
        string path = Path.GetTempFileName();
        Record(path);
        Assert.Contains("thumbnails made", File.ReadAllText(path), StringComparison.Ordinal);
        File.Delete(path);

        static void Record(string path)
        {
            #region Recording/PACKAGE.md
            using MemoryRecorder recorder = MemoryRecorder.Start(PixelAllocator.Shared);
            MakeThumbnails();
            recorder.Mark("thumbnails made");

            MemoryRecording recording = recorder.Stop();
            Console.WriteLine(recording);
            File.WriteAllText(path, recording.ToSvg());
            #endregion
        }

        static void MakeThumbnails() => PixelAllocator.Shared.Rent<uint>(400, 300).Dispose();
    }
}
