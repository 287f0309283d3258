namespace PixelPool;

/// <summary>Timers that belong to the library, not to whoever happened to call it first.</summary>
internal static class DetachedTimer
{
    /// <summary>
    /// Makes a timer that is started later. A timer keeps what flows with the call that makes it (<see cref="AsyncLocal{T}"/>) for as long as it lives: a request's
    /// user, or the types of a plug-in, which could not be unloaded.
    /// </summary>
    public static ITimer Create(TimeProvider time, TimerCallback callback, object state)
    {
        using AsyncFlowControl? flow = ExecutionContext.IsFlowSuppressed() ? null : ExecutionContext.SuppressFlow();
        return time.CreateTimer(callback, state, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }
}
