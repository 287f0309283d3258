using System.Diagnostics;
using PixelPool.Threading;

namespace PixelPool.Diagnostics;

/// <summary>
/// Tells the event source what the application's code threw where nobody could be told otherwise: a clock, a timer, a pool of arrays, a handler. The library goes
/// on without it.
/// </summary>
internal static class ApplicationFailure
{
    // Characters of two bytes: an event that is longer than 64 KiB would be lost, and up to three such texts are in one.
    private const int MaxTextLength = 10_000;

    /// <summary>Never throws. An interrupt, as at a lock of a timer, is none of the application's failures: it is kept for the next time that the thread blocks.</summary>
    /// <param name="allocator">The allocator's name.</param>
    /// <param name="member">What was called, such as <c>ITimer.Change</c>.</param>
    /// <param name="failure">What it threw.</param>
    public static void Report(string allocator, string member, Exception failure)
    {
        try
        {
            if (!Uninterrupted.Keep(failure) && PixelPoolEventSource.IsListeningTo(PixelPoolEventSource.Keywords.Failures))
            {
                PixelPoolEventSource.Log?.ApplicationFailed(allocator, member, Describe(failure));
            }
        }
        catch (OutOfMemoryException)
        {
            // Mostly that is what failed.
        }
    }

    /// <summary>No more of a text than an event can hold.</summary>
    public static string Shorten(string? text) => text is null ? string.Empty : text.Length <= MaxTextLength ? text : text.Substring(0, MaxTextLength);

    /// <summary>The exception as text. Never throws.</summary>
    public static string Describe(Exception failure)
    {
        try
        {
            // The runtime may have freed the symbols of a plug-in that is being unloaded, and ends the process if it reads them: they are not asked for.
            return Shorten(UnloadableCode.Threw(failure) ? $"{failure.GetType()}: {failure.Message}{Environment.NewLine}{new StackTrace(failure, fNeedFileInfo: false)}" : failure.ToString());
        }
#pragma warning disable CA1031 // An exception of the application may be unable to describe itself: that must not end the process either.
        catch (Exception)
        {
            return failure.GetType().ToString();
        }
#pragma warning restore CA1031
    }
}
