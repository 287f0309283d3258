using System.Collections.Concurrent;

namespace PixelPool.Tests.ModelBased;

/// <summary>A thread that rents, one image after the other, and is blocked while it waits for one.</summary>
internal sealed class RentingThread : IDisposable
{
    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    private readonly BlockingCollection<Action> _work = [];
    private readonly Thread _thread;
    private volatile bool _isRenting;

    public RentingThread()
    {
        _thread = new Thread(() =>
        {
            foreach (Action rent in _work.GetConsumingEnumerable())
            {
                rent();
            }
        })
        {
            IsBackground = true,
        };
        _thread.Start();
    }

    /// <summary>Rents on the thread. Returns when that has ended, or the thread is blocked.</summary>
    public Task<IDisposable> Rent(Func<IDisposable> rent)
    {
        var result = new TaskCompletionSource<IDisposable>(TaskCreationOptions.RunContinuationsAsynchronously);
        _work.Add(() =>
        {
            try
            {
                _isRenting = true;
                IDisposable image = rent();
                _isRenting = false;
                result.SetResult(image);
            }
#pragma warning disable CA1031 // whatever it is, who waits for the result sees it
            catch (Exception e)
            {
                _isRenting = false;
                result.SetException(e);
            }
#pragma warning restore CA1031
        });
        Assert.True(SpinWait.SpinUntil(() => result.Task.IsCompleted || (_isRenting && (_thread.ThreadState & ThreadState.WaitSleepJoin) != 0), s_limit));
        return result.Task;
    }

    /// <summary>Ends a wait.</summary>
    public void Interrupt() => _thread.Interrupt();

    /// <summary>Whoever disposes it has ended its waits.</summary>
    public void Dispose()
    {
        _work.CompleteAdding();
        _thread.Join(s_limit);
        _work.Dispose();
    }
}
