namespace PixelPool.Threading;

/// <summary>Hands work to the thread pool. The queue has locks of its own: an interrupt that comes there must not lose the work.</summary>
/// <remarks>Work is an object that is there already, so nothing is allocated for it, but for a queue that grows.</remarks>
internal static unsafe class ThreadPoolQueue
{
    /// <summary>For what somebody waits for: it is tried until there is memory.</summary>
    /// <param name="work">Work that may be done twice.</param>
    public static void Enqueue(IThreadPoolWorkItem work) => Uninterrupted.Do(&Add, work);

    /// <summary>For what nobody waits for.</summary>
    /// <param name="work">Work that may be done twice.</param>
    /// <returns>False when there is no memory for it.</returns>
    public static bool TryEnqueue(IThreadPoolWorkItem work) => Uninterrupted.TryDo(&Add, work);

    private static void Add(IThreadPoolWorkItem work) =>
#if NET
        ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false);
#else
        ThreadPool.UnsafeQueueUserWorkItem(Execute, work);

    // No lambda: where there is no memory for what makes it, it fails for good.
    private static void Execute(object work) => ((IThreadPoolWorkItem)work).Execute();
#endif
}
