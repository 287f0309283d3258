using Imaging.Photos;

namespace Imaging.Thumbnails;

/// <summary>What all threads have done so far.</summary>
public sealed class RunTotals
{
    private readonly Lock _lock = new();
    private readonly HashSet<Photo> _done = [];
    private readonly SortedDictionary<string, string> _skipped = new(StringComparer.Ordinal);

    /// <summary>Thumbnails written, each repetition counted.</summary>
    public int Thumbnails { get; private set; }

    /// <summary>Photos that became a thumbnail or were skipped, each repetition counted.</summary>
    public int Processed { get; private set; }

    /// <summary>Of the photos that became thumbnails.</summary>
    public long Pixels { get; private set; }

    /// <summary>Of all threads together.</summary>
    public StageTimes Times { get; private set; }

    /// <summary>Those of which there is a thumbnail.</summary>
    public IReadOnlyCollection<Photo> Done => _done;

    /// <summary>Why there is no thumbnail, by file name.</summary>
    public IReadOnlyDictionary<string, string> Skipped => _skipped;

    /// <summary>From any thread.</summary>
    public void Add(PhotoOutcome outcome)
    {
        lock (_lock)
        {
            Processed++;
            if (outcome.Problem is not null)
            {
                _skipped[outcome.Photo.FileName] = outcome.Problem;
                return;
            }

            _done.Add(outcome.Photo);
            Thumbnails++;
            Pixels += outcome.Pixels;
            Times += outcome.Times;
        }
    }
}
