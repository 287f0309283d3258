using PixelPool.Accounts;

namespace PixelPool.Tests.Budgets;

/// <summary>A stripe without a depot: it keeps credit, and nothing else.</summary>
internal sealed class FakeStripe(MemoryAccounts accounts) : AccountStripe(accounts)
{
    /// <summary>As a return does it.</summary>
    /// <returns>False when the budget wants the bytes back.</returns>
    public bool TryKeep(long bytes)
    {
        Pause();
        bool kept = TryKeepCredit(bytes);
        Resume();
        return kept;
    }

    /// <summary>As a rent does it.</summary>
    public bool TryUse(long bytes)
    {
        Pause();
        bool used = HasCredit(bytes);
        if (used)
        {
            UseCredit(bytes);
        }

        Resume();
        return used;
    }
}
