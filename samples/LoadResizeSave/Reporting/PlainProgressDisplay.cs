using PixelPool.Measuring;

namespace LoadResizeSave.Reporting;

/// <summary>A line now and then, for output that goes to a file or another program.</summary>
internal sealed class PlainProgressDisplay(TimeProvider time) : IProgressDisplay
{
    public void Show(string title, int steps, Action<IProgress<long>> work)
    {
        Console.WriteLine($"{title}: {steps}");
        work(new Lines(steps, time));
    }

    /// <summary>Not among the lines, which may be read by a program.</summary>
    public void Say(string text) => Console.Error.WriteLine(text);

    private sealed class Lines(int steps, TimeProvider time) : IProgress<long>
    {
        private const int LinesPerRun = 10;

        private readonly Lock _lock = new();
        private readonly long _start = time.GetTimestamp();
        private int _done;
        private long _pixels;

        public void Report(long pixels)
        {
            lock (_lock)
            {
                int linesBefore = _done * LinesPerRun / steps;
                _done++;
                _pixels += pixels;
                if (_done * LinesPerRun / steps > linesBefore)
                {
                    double seconds = time.GetElapsedTime(_start).TotalSeconds;
                    Console.WriteLine(
                        $"  {_done} of {steps}, {_pixels / 1e6 / seconds:0} MP/s, {ByteSize.Text(ResidentMemory.Current())} resident");
                }
            }
        }
    }
}
