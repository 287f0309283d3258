namespace PixelPool.Native;

/// <summary>
/// Whether huge pages pay on this host: the first touch of some is timed, in memory that is about to be used. While they cost more time than they save, new memory gets
/// small pages. Thread-safe, without locks.
/// </summary>
/// <remarks>
/// The host of a virtual machine may take free memory back. Linux reports it in pieces as large as huge pages, so these are what the host has to provide again, while
/// small pages mostly come from pieces that the host has not taken. On some hosts each small page is slow, too: there small pages take up to half as long again.
/// </remarks>
/// <param name="kernel">The system calls.</param>
/// <param name="time">Its timestamps say when to try again.</param>
internal sealed class HugePageProbe(LinuxKernel kernel, TimeProvider time)
{
    // A huge page takes 0.2 to 1.3 ms, or 4 to 7 ms when the host has to provide it. Its 512 small pages mostly take 0.7 to 1.3 ms.
    private const long FastNanoseconds = 2_500_000;

    // The unit is what a fast page saves; a slow one loses about five times as much.
    private const int LostBySlow = 5;

    // One slow page proves nothing: the processor may have been taken away.
    private const int MostLost = 2 * LostBySlow;

    // While pages are fast, one of so many is touched.
    private const int PagesPerTouch = 8;

    // A try costs one slow page: less than one hundredth of a processor.
    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(1);

    // Threads may miss each other's changes: then a page more or less is touched.
    private int _lost;
    private int _untilTouch = 1;
    private long _lastSlow;

    /// <summary>Whether new memory is to get huge pages.</summary>
    public bool Pays => Volatile.Read(ref _lost) < MostLost || IsTimeToTry();

    /// <summary>Whether one was slow at any time, so that memory that asked for huge pages may have small ones.</summary>
    public bool WasSlow => Volatile.Read(ref _lastSlow) != 0;

    /// <summary>Touches a fresh huge page, if it is its turn.</summary>
    public void Offer(nint page)
    {
        if (Interlocked.Decrement(ref _untilTouch) > 0)
        {
            return;
        }

        bool isSlow = kernel.Touch(page) > FastNanoseconds;
        if (isSlow)
        {
            Volatile.Write(ref _lastSlow, time.GetTimestamp());
        }

        _lost = Math.Max(0, Math.Min(_lost + (isSlow ? LostBySlow : -1), MostLost));
        Volatile.Write(ref _untilTouch, isSlow ? 1 : PagesPerTouch);
    }

    // A clock that goes backwards must not stop anything forever.
    private bool IsTimeToTry()
    {
        TimeSpan elapsed = time.GetElapsedTime(Volatile.Read(ref _lastSlow));
        return elapsed < TimeSpan.Zero || elapsed >= s_period;
    }
}
