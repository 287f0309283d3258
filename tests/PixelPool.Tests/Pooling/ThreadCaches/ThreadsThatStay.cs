namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>Threads that do something one after the other, and all live until this is disposed.</summary>
internal sealed class ThreadsThatStay : IDisposable
{
    private readonly ManualResetEventSlim _end = new();
    private readonly Thread[] _threads;

    public ThreadsThatStay(int count, Action action)
    {
        _threads = new Thread[count];
        using var done = new SemaphoreSlim(0);
        for (int i = 0; i < count; i++)
        {
            _threads[i] = new Thread(() =>
            {
                action();
                done.Release();
                _end.Wait();
            })
            {
                IsBackground = true,
            };
            _threads[i].Start();
            done.Wait();
        }
    }

    public void Dispose()
    {
        _end.Set();
        Array.ForEach(_threads, static thread => thread.Join());
        _end.Dispose();
    }
}
