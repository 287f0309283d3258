using PixelPool.Lifetime;

namespace PixelPool.Diagnostics;

/// <summary>
/// Finds what a piece of code, such as a test, did not return: <c>using LeakTracker check = allocator.TrackLeaks(); … check.AssertNone();</c> Until it is
/// disposed, every rent of the allocator remembers its stack, whatever <see cref="PixelAllocatorOptions.LeakTracking"/> is.
/// </summary>
/// <remarks>
/// It knows the rents, external charges and reservations of one allocator that are made after <see cref="PixelAllocator.TrackLeaks"/> returned, on any thread.
/// So tests that run at the same time need an allocator each. All members are thread-safe.
/// </remarks>
public sealed class LeakTracker : IDisposable
{
    private readonly RentTracking _tracking;

    // Guarded by the lock of the tracking.
    private readonly List<RentRecord> _leaked = new(4);
    private readonly List<RentStack?> _secondReturns = new(4);
    private volatile bool _isDisposed;

    internal LeakTracker(RentTracking tracking)
    {
        _tracking = tracking;
        tracking.Begin(this);
    }

    /// <summary>That of the first rents it knows. Set before it hears of any leak.</summary>
    internal int Epoch { get; set; }

    /// <summary>
    /// Throws unless everything that was rented since the tracker was made has been returned, and nothing was returned twice. If necessary, it runs a full
    /// garbage collection to find what was forgotten.
    /// </summary>
    /// <exception cref="PixelLeakException">
    /// Something is still held, was forgotten, or was returned twice. The message names where it was rented, or where it was returned again.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The tracker was disposed.</exception>
    public void AssertNone()
    {
        Throw.IfDisposed(_isDisposed, nameof(LeakTracker));
        (RentRecord[] held, RentRecord[] leaked, RentStack?[] secondReturns) = Find();
        if (held.Length != 0)
        {
            // Perhaps nobody knows it any more: then it is called a leak, or its owner's finalizer gives it back.
            GC.Collect();
            (held, leaked, secondReturns) = Find();
        }

        if (held.Length + leaked.Length + secondReturns.Length != 0)
        {
            throw new PixelLeakException(leaked, held, secondReturns);
        }
    }

    /// <summary>Ends the tracking. Checks nothing. Calling it again does nothing.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        _tracking.End(this);
    }

    /// <summary>What finalizers found forgotten so far, and state, for debuggers.</summary>
    public override string ToString()
    {
        using (_tracking.Gate.Hold())
        {
            return $"Tracks {_tracking.Name}: {Plural.Of(_leaked.Count, "leak")} ({ByteSize.Format(_leaked.SumBytes())})"
                + (_isDisposed ? ", disposed" : string.Empty);
        }
    }

    /// <summary>A leak was found. Called under the lock of the tracking.</summary>
    internal void OnLeaked(RentTrace? trace, RentRecord rent)
    {
        if (trace?.Epoch >= Epoch)
        {
            _leaked.Add(rent);
        }
    }

    /// <summary>Something was returned a second time. Called under the lock of the tracking.</summary>
    internal void OnSecondReturn(RentStack? stack)
    {
        // A loop that does it again and again is told often enough.
        if (_secondReturns.Count < 1024)
        {
            _secondReturns.Add(stack);
        }
    }

    // What a collection has found unreachable is in no list before its finalizer ran: so that is waited for after the held ones were listed.
    private (RentRecord[] Held, RentRecord[] Leaked, RentStack?[] SecondReturns) Find()
    {
        RentRecord[] held = _tracking.ListOutstanding(Epoch);
        GC.WaitForPendingFinalizers();
        using (_tracking.Gate.Hold())
        {
            return (held, [.. _leaked], [.. _secondReturns]);
        }
    }
}
