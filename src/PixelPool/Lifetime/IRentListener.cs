using PixelPool.Accounts;

namespace PixelPool.Lifetime;

/// <summary>Hears of single rents as well: of those that are sampled, and of what is done wrong with any.</summary>
internal interface IRentListener : IMemoryListener
{
    /// <summary>A rent that is sampled begins.</summary>
    /// <param name="bytes">What it holds.</param>
    /// <param name="source">Where the memory came from; null when such rents are not announced.</param>
    /// <param name="tag">What it is for.</param>
    /// <returns>Whether it was announced, so that its end is to be announced, too.</returns>
    bool OnRented(long bytes, string? source, string? tag);

    /// <summary>What is to be remembered of who makes a rent that is sampled, a view or a pin of one that is remembered, or a request that has to wait. Throws only for lack of memory.</summary>
    /// <param name="isRare">Whether it is always worth a look at the stack, as what waits for much of a budget.</param>
    /// <returns>Null if nothing is.</returns>
    RentTrace? TryTrace(bool isRare);

    /// <summary>A request that waited gets its rent on a stack that tells nothing: who asked is remembered instead. Throws only for lack of memory.</summary>
    /// <param name="asked">What <see cref="TryTrace"/> said when it began to wait.</param>
    /// <param name="isTraced">Whether something is remembered of the rent already.</param>
    /// <returns>What is to be remembered instead, if anything is.</returns>
    RentTrace? OnGranted(RentTrace? asked, bool isTraced);

    /// <summary>Requests have waited long. Throws only for lack of memory.</summary>
    /// <param name="waits">The requests.</param>
    /// <param name="waiting">Lists the requests that wait now, the longest first.</param>
    /// <param name="isDeadlock">Whether all that is held was rented by threads, or through scopes, that wait themselves.</param>
    void OnLongWaits(List<WaitFacts> waits, Func<WaitFacts[]> waiting, bool isDeadlock);

    /// <summary>A rent that was announced has ended.</summary>
    void OnReturned(long bytes, string? tag);

    /// <summary>The line of the application that calls, as reports tell it. Throws nothing.</summary>
    /// <returns>Null when it is not known.</returns>
    string? DescribePlace();

    /// <summary>A finalizer returned what somebody forgot. Called on the finalizer thread.</summary>
    void OnLeaked(in RentFacts rent);
}
