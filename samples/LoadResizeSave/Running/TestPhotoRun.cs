using Imaging.Photos.TestPhotos;
using LoadResizeSave.Reporting;

namespace LoadResizeSave.Running;

/// <summary>Paints the test photos that are missing, and says so before.</summary>
internal static class TestPhotoRun
{
    /// <returns>Whether all are there now. When it is interrupted, what was painted until then is kept.</returns>
    public static bool TryExecute(int parallelism, IProgressDisplay progress, CancellationToken interruption)
    {
        IReadOnlyList<TestPhoto> missing = TestPhotoSet.Missing;
        if (missing.Count == 0)
        {
            return true;
        }

        RunReport.PrintTestPhotos(missing);
        int painted = 0;
        progress.Show("Making test photos", missing.Count, report => painted = TestPhotoSet.PaintMissing(parallelism, report, interruption));
        if (painted < missing.Count)
        {
            RunReport.PrintInterruption($"after {painted} of {Count.Of(missing.Count, "test photo")}; the next run paints the others");
        }

        return painted == missing.Count;
    }
}
