using PixelPool.Accounts;

namespace PixelPool.Lifetime;

/// <summary>Hears of single rents as well: of those that are looked at, and of what is done wrong with any.</summary>
internal interface IRentListener : IMemoryListener
{
    /// <summary>A rent that is looked at begins. May throw what the application's clock throws.</summary>
    void OnRented(LifetimeGuard guard);

    /// <summary>A request has to wait: it gets its rent on a stack that tells nothing.</summary>
    /// <returns>To be called with the rent: it is remembered with the stack that it was asked for on.</returns>
    Action<LifetimeGuard> RememberCaller();

    /// <summary>A rent that was announced has ended.</summary>
    void OnReturned(long bytes, string? tag);

    /// <summary>A view or a pin is made of a rent that is remembered.</summary>
    /// <returns>What is to be remembered of it, if anything is.</returns>
    RentTrace? OnHeld();

    /// <summary>Something was returned a second time: a lease, or pixels that native code held. May be called by native code: throws nothing.</summary>
    void OnSecondReturn();

    /// <summary>A finalizer returned what somebody forgot. Called on the finalizer thread.</summary>
    void OnLeaked(in RentFacts rent);
}
