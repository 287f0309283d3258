using PixelPool.Accounts;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling;

/// <summary>
/// Whoever reads statistics stops others while it adds up, and not while it waits for threads that are inside of their caches. Otherwise a thread that reads in a loop would hold the locks of the stripes
/// nearly all the time, and a rent would wait for seconds.
/// </summary>
public sealed class StatisticsBesideRentsTests
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromSeconds(30);

    [Fact]
    public void What_all_threads_use_is_free_until_the_last_thread_is_outside_of_its_own()
    {
        var accounts = new MemoryAccounts(new SilentListener());
        accounts.Open([new Stripe(accounts)], passing: new Stripe(accounts));
        var kept = new KeptByThread(accounts);
        accounts.SetCaches([kept]);
        bool counted = false;
        kept.Awaited = () =>
        {
            var other = new Thread(() => accounts.Count(new StripeCounters { Hits = 1 }));
            other.Start();
            counted = other.Join(s_timeLimit);
        };
        PixelPoolStatistics read = accounts.GetStatistics();
        Assert.True(counted, "the stripe was locked");

        // It came before the moment that was read.
        Assert.Equal(1, read.Hits);
    }

    private class Stripe(MemoryAccounts accounts) : AccountStripe(accounts);

    // Its owner is inside: another thread waits for it after the barrier.
    private sealed class KeptByThread(MemoryAccounts accounts) : Stripe(accounts)
    {
        public Action Awaited { get; set; } = static () => { };

        public override bool BeginPause()
        {
            Gate.Enter(this);
            return true;
        }

        public override void AwaitPause() => Awaited();
    }
}
