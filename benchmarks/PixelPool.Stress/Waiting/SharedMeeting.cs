namespace PixelPool.Stress.Waiting;

/// <summary>Where a number of operations wait until all of them are there. Nobody is blocked.</summary>
internal sealed class SharedMeeting(int count)
{
    private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _missing = count;

    /// <summary>Ends when everybody has come.</summary>
    public Task ComeAsync()
    {
        if (Interlocked.Decrement(ref _missing) == 0)
        {
            _all.SetResult();
        }

        return _all.Task;
    }
}
