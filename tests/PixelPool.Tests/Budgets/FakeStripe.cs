using PixelPool.Accounts;

namespace PixelPool.Tests.Budgets;

/// <summary>A stripe without a depot: it keeps credit, and nothing else.</summary>
internal sealed class FakeStripe(MemoryAccounts accounts) : AccountStripe(accounts)
{
    /// <summary>As a return does it.</summary>
    /// <returns>False when the budget wants the bytes back.</returns>
    public bool TryKeep(long bytes)
    {
        Halt();
        bool kept = TryKeepCredit(bytes);
        GoOn();
        return kept;
    }

    /// <summary>As a rent does it.</summary>
    public bool TryUse(long bytes)
    {
        Halt();
        bool used = HasCredit(bytes);
        if (used)
        {
            UseCredit(bytes);
        }

        GoOn();
        return used;
    }
}
