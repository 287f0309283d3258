using PixelPool.Threading;

namespace PixelPool.Tests.Threading;

/// <summary>Whoever is next at the lock has it before a thread that leaves it and takes it again.</summary>
public sealed class FairLockTests
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);
    private readonly FairLock _lock = new();

    [Fact]
    public void Thread_that_takes_it_again_comes_after_the_one_that_sleeps_there()
    {
        for (int round = 0; round < 200; round++)
        {
            bool had = false;
            UninterruptibleLock.Holder held = _lock.Hold();
            var other = new Thread(() =>
            {
                using (_lock.Hold())
                {
                    had = true;
                }
            });
            other.Start();
            Assert.True(SpinWait.SpinUntil(() => (other.ThreadState & ThreadState.WaitSleepJoin) != 0, s_timeLimit));
            held.Dispose();
            using (_lock.Hold())
            {
                Assert.True(had);
            }

            Assert.True(other.Join(s_timeLimit));
        }
    }
}
