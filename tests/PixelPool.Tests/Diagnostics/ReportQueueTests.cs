using PixelPool.Diagnostics;

namespace PixelPool.Tests.Diagnostics;

/// <summary>What was found is told to the event source and to handlers: to each, whatever telling the other throws.</summary>
public sealed class ReportQueueTests
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    /// <summary>There may be no memory for its texts, and lines are looked up for them in symbols.</summary>
    [Fact]
    public async Task What_cannot_be_written_is_told_to_handlers()
    {
        var unwritten = new EventArgs();
        var last = new EventArgs();
        var told = new List<EventArgs>();
        var allTold = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        EventHandler<EventArgs> handler = (_, report) =>
        {
            told.Add(report);
            if (report == last)
            {
                allTold.SetResult();
            }
        };
        var queue = new ReportQueue<EventArgs>(this, () => handler, report => ThrowIf(report == unwritten), static _ => { });
        queue.Report(unwritten);
        queue.Report(last);
        await allTold.Task.WaitAsync(s_timeLimit, TestContext.Current.CancellationToken);
        Assert.Same(unwritten, told[0]);
        Assert.Equal(2, told.Count);
    }

    private static void ThrowIf(bool fails)
    {
        if (fails)
        {
            throw new OutOfMemoryException();
        }
    }
}
