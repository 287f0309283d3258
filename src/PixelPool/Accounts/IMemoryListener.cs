namespace PixelPool.Accounts;

/// <summary>
/// Hears what happens to the memory of one allocator, or of one pool. All that is below the diagnostics tells this, and knows nobody who listens.
/// </summary>
/// <remarks>Nothing here throws. Only <see cref="SampleInterval"/> is asked under a lock.</remarks>
internal interface IMemoryListener
{
    /// <summary>N, where one hit in N of a stripe is sampled. Other rents always are: they are slow anyway.</summary>
    int SampleInterval { get; }

    /// <summary>Memory was got from the system.</summary>
    void OnAllocated(long bytes);

    /// <summary>Idle memory went back to the system.</summary>
    void OnTrimmed(long bytes, TrimReason reason);

    /// <summary>Memory went back to the system because nobody could keep it.</summary>
    /// <param name="bytes">Bytes that went back.</param>
    /// <param name="reason">Why, in the words of the event source.</param>
    void OnDropped(long bytes, string reason);

    /// <summary>A budget refused a request.</summary>
    void OnRefused(long bytes, long limitBytes);

    /// <summary>A wait for budget ended.</summary>
    void OnWaited(long bytes, TimeSpan waited, string outcome);

    /// <summary>Something was returned a second time: a lease, or pixels that native code held. May be called by native code.</summary>
    void OnSecondReturn();

    /// <summary>Says in a sentence who holds most of a budget. Empty when nobody knows.</summary>
    /// <param name="budget">The budget. An object, because budgets use the accounts.</param>
    string DescribeHolders(object budget);

    /// <summary>Code of the application threw where nobody could be told otherwise.</summary>
    /// <param name="member">What was called, such as <c>ITimer.Change</c>.</param>
    /// <param name="failure">What it threw.</param>
    void OnApplicationFailed(string member, Exception failure);
}
