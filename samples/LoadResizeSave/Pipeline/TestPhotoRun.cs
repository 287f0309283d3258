using LoadResizeSave.Photos.TestPhotos;
using LoadResizeSave.Reporting;

namespace LoadResizeSave.Pipeline;

/// <summary>Paints the test photos that are missing, and says so before.</summary>
internal static class TestPhotoRun
{
    /// <returns>Whether all are there now. When it is interrupted, what was painted until then is kept.</returns>
    public static bool TryExecute(int parallelism, IProgressDisplay progress, CancellationToken interruption)
    {
        TestPhoto[] missing = [.. TestPhotoSet.Missing];
        if (missing.Length == 0)
        {
            return true;
        }

        RunReport.PrintTestPhotos(missing);
        int painted = Paint(missing, parallelism, progress, interruption);
        if (painted < missing.Length)
        {
            RunReport.PrintInterruption($"after {painted} of {Count.Of(missing.Length, "test photo")}; the next run paints the others");
        }

        return painted == missing.Length;
    }

    private static int Paint(TestPhoto[] missing, int parallelism, IProgressDisplay progress, CancellationToken interruption)
    {
        int painted = 0;
        progress.Show("Making test photos", missing.Length, report =>
            Workers.Process(missing, parallelism, interruption, photo =>
            {
                if (TestPhotoSet.Take(photo, interruption))
                {
                    Interlocked.Increment(ref painted);
                    report.Report(photo.PixelCount);
                }
            }));
        return painted;
    }
}
