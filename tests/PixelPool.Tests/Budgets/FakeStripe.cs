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
        bool kept = !IsRecalled;
        Credit += kept ? bytes : 0;
        Resume();
        return kept;
    }

    /// <summary>As a rent does it.</summary>
    public bool TryUse(long bytes)
    {
        Pause();
        bool used = Credit >= bytes;
        if (used)
        {
            Counters.ChargedUses++;
            Credit -= bytes;
        }

        Resume();
        return used;
    }
}
