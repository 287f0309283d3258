using PixelPool.Threading;

namespace PixelPool.Tests.Threading;

/// <summary>A thread that is interrupted (<see cref="Thread.Interrupt"/>) while it waits for the lock neither keeps it nor keeps others from it.</summary>
public class StripeLockInterruptionTests
{
    private const int Sleepers = 4;
    private const int Rounds = 100;

    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

#pragma warning disable IDE0044, CS0649 // a lock that is a word is changed in place
    private StripeLock _lock;
#pragma warning restore IDE0044, CS0649

    // Guarded by the lock.
    private int _counter;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void All_others_get_the_lock(bool asleep)
    {
        int refused = 0;
        using var told = new ManualResetEvent(false);
        using var crew = new SleepingCrew(Sleepers, () =>
        {
            try
            {
                Count();
            }
            catch (ThreadInterruptedException)
            {
                Interlocked.Increment(ref refused);
            }

            TakeInterrupt(told);
        });
        for (int round = 0; round < Rounds; round++)
        {
            told.Reset();
            _lock.Enter(this);
            crew.SendToSleep(s_timeLimit);
            if (asleep)
            {
                crew.Interrupt(round % Sleepers);
                _lock.Exit(this);
            }
            else
            {
                // While it is being woken, or wakes the next one.
                _lock.Exit(this);
                crew.Interrupt(round % Sleepers);
            }

            told.Set();
            crew.AwaitDone(s_timeLimit);
        }

        // An interrupted thread gets the lock, or an exception.
        Assert.InRange(refused, 0, Rounds);
        Assert.Equal((Rounds * Sleepers) - refused, _counter);
    }

    // Until it was interrupted, if it will be: afterwards it waits for other things.
    private static void TakeInterrupt(WaitHandle told)
    {
        try
        {
            told.WaitOne();
            told.WaitOne();
        }
        catch (ThreadInterruptedException)
        {
        }
    }

    private void Count()
    {
        _lock.Enter(this);
        _counter++;
        _lock.Exit(this);
    }
}
