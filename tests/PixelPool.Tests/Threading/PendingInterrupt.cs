namespace PixelPool.Tests.Threading;

/// <summary>An interrupt that waits for the calling thread to block.</summary>
internal static class PendingInterrupt
{
    /// <summary>Takes it, so that nothing else ends by it.</summary>
    /// <returns>Whether there was one.</returns>
    public static bool Take()
    {
        try
        {
            Thread.CurrentThread.Join(0);
            return false;
        }
        catch (ThreadInterruptedException)
        {
            return true;
        }
    }
}
