using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.Threading;

/// <summary>One thread at a time; who waits sleeps, and everybody gets the lock in the end.</summary>
public class StripeLockTests
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

#pragma warning disable IDE0044, CS0649 // a lock that is a word is changed in place
    private StripeLock _lock;
#pragma warning restore IDE0044, CS0649

    // Guarded by the lock.
    private long _counter;
    private int _inside;

    [Theory]
    [InlineData(2, 200_000)]
    [InlineData(4, 100_000)]
    [InlineData(8, 50_000)]
    public void One_thread_at_a_time(int threads, int rounds)
    {
        Simultaneously.Run(threads, _ =>
        {
            for (int i = 0; i < rounds; i++)
            {
                Count();
            }
        });
        Assert.Equal((long)threads * rounds, _counter);
    }

    [Theory]
    [InlineData(1, 300)]
    [InlineData(3, 200)]
    [InlineData(7, 100)]
    public void All_that_sleep_get_the_lock(int sleepers, int rounds)
    {
        using var crew = new SleepingCrew(sleepers, Count);
        for (int round = 1; round <= rounds; round++)
        {
            _lock.Enter(this);
            crew.SendToSleep(s_timeLimit);
            Assert.Equal((round - 1) * sleepers, _counter);
            _lock.Exit(this);
            crew.AwaitDone(s_timeLimit);
            Assert.Equal(round * sleepers, _counter);
        }

        AssertFree();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public void Those_that_sleep_get_the_lock_beside_others_that_never_do(int sleepers)
    {
        long taken = 0;
        using var crew = new SleepingCrew(sleepers, Count);
        for (int round = 1; round <= 50; round++)
        {
            _lock.Enter(this);
            crew.SendToSleep(s_timeLimit);
            _lock.Exit(this);

            // Takes it from under those that are just waking up.
            for (int i = 0; i < 1000; i++)
            {
                Count();
                taken++;
            }

            crew.AwaitDone(s_timeLimit);
            Assert.Equal((round * sleepers) + taken, _counter);
        }

        AssertFree();
    }

    private void Count()
    {
        _lock.Enter(this);
        try
        {
            Assert.Equal(1, ++_inside);
            _counter++;
            Assert.Equal(0, --_inside);
        }
        finally
        {
            _lock.Exit(this);
        }
    }

    private void AssertFree()
    {
        _lock.Enter(this);
        Assert.Equal(0, _inside);
        _lock.Exit(this);
    }
}
