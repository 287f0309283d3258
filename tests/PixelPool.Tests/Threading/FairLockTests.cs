using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.Threading;

/// <summary>Whoever is next at the lock has it before a thread that leaves it and takes it again.</summary>
public sealed class FairLockTests
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);
    private readonly FairLock _lock = new();

    // Guarded by the lock.
    private int _counter;

    [Fact]
    public void Thread_that_takes_it_again_comes_after_the_one_that_sleeps_there() => InTurn.Check(body =>
    {
        using (_lock.Hold())
        {
            body();
        }
    });

    /// <summary>The next one, which keeps all others from its place meanwhile, and those: none is lost, and none loses its interrupt.</summary>
    [Fact]
    public void Threads_that_are_interrupted_there_have_it_all_the_same()
    {
        const int Sleepers = 4;
        const int Rounds = 50;
        int interrupted = 0;
        using var crew = new SleepingCrew(Sleepers, () =>
        {
            Count();
            Interlocked.Add(ref interrupted, PendingInterrupt.Take() ? 1 : 0);
        });
        for (int round = 0; round < Rounds; round++)
        {
            using (_lock.Hold())
            {
                crew.SendToSleep(s_timeLimit);
                for (int i = 0; i < Sleepers; i++)
                {
                    crew.Interrupt(i);
                }
            }

            crew.AwaitDone(s_timeLimit);
        }

        Assert.Equal((Rounds * Sleepers, Rounds * Sleepers), (_counter, interrupted));
    }

    [Fact]
    public void Hundreds_of_threads_have_it_one_at_a_time()
    {
        const int Threads = 200;
        const int Each = 20;
        Simultaneously.Run(Threads, _ =>
        {
            for (int i = 0; i < Each; i++)
            {
                Count();
            }
        });
        Assert.Equal(Threads * Each, _counter);
    }

    private void Count()
    {
        using (_lock.Hold())
        {
            _counter++;
        }
    }
}
