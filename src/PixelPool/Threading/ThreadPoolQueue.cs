namespace PixelPool.Threading;

/// <summary>Hands work to the thread pool. The queue has locks of its own: an interrupt that comes there must not lose the work.</summary>
internal static class ThreadPoolQueue
{
    /// <param name="work">Work that may be done twice.</param>
    /// <param name="state">Passed to it.</param>
    public static void Enqueue(WaitCallback work, object? state) =>
        Uninterrupted.Do(static item => ThreadPool.UnsafeQueueUserWorkItem(item.Work, item.State), (Work: work, State: state));
}
