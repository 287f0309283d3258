using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.Threading;

/// <summary>The owner and another thread are never inside together, and who waits for the owner is woken.</summary>
public class OwnedGateTests
{
    private const int Rounds = 20_000;

    private readonly object _sleepers = new();
    private readonly UninterruptibleLock _others = new();

#pragma warning disable IDE0044, CS0649 // a lock that is a word is changed in place
    private BiasedLock _gate;
#pragma warning restore IDE0044, CS0649

    // Guarded by the gate: no operation on it is atomic.
    private long _counter;

    [Theory]
    [InlineData(1, false)]
    [InlineData(3, false)]
    [InlineData(3, true)]
    [Trait("Category", "Long")]
    public void Owner_and_others_exclude_each_other(int others, bool interrupted)
    {
        long byOwner = 0;
        int running = others;
        Simultaneously.Run(others + 1, index =>
        {
            if (index == 0)
            {
                while (Volatile.Read(ref running) != 0)
                {
                    byOwner += CountAsOwner();
                }

                return;
            }

            for (int i = 0; i < Rounds; i++)
            {
                if (interrupted && i % 100 == 0)
                {
                    Thread.CurrentThread.Interrupt();
                }

                CountAsOther();
            }

            Assert.Equal(interrupted, PendingInterrupt.Take());
            Interlocked.Decrement(ref running);
        });

        Assert.Equal(byOwner + ((long)others * Rounds), _counter);
    }

    [Fact]
    public void Owner_is_refused_at_a_closed_gate_and_goes_on_when_it_is_open()
    {
        _gate.Close();
        Assert.False(_gate.TryEnter());
        Assert.False(_gate.Exit());
        _gate.AwaitOwner(_sleepers);
        _gate.Open();
        Assert.True(_gate.TryEnter());
        Assert.False(_gate.Exit());
    }

    [Fact]
    public void Who_waits_for_the_owner_sleeps_until_it_leaves()
    {
        Assert.True(_gate.TryEnter());
        bool inside = true;
        var other = new Thread(() =>
        {
            _gate.Close();
            _gate.AwaitOwner(_sleepers);
            Assert.False(Volatile.Read(ref inside));
        });
        other.Start();
        SpinWait.SpinUntil(() => (other.ThreadState & ThreadState.WaitSleepJoin) != 0);
        Volatile.Write(ref inside, false);
        Leave();
        Assert.True(other.Join(TimeSpan.FromMinutes(1)));
    }

    private int CountAsOwner()
    {
        bool isOpen = _gate.TryEnter();
        if (isOpen)
        {
            _counter++;
        }

        Leave();
        return isOpen ? 1 : 0;
    }

    private void Leave()
    {
        if (_gate.Exit())
        {
            BiasedLock.Wake(_sleepers);
        }
    }

    private void CountAsOther()
    {
        using (_others.Hold())
        {
            _gate.Close();
            ProcessBarrier.Issue();
            _gate.AwaitOwner(_sleepers);
            _counter++;
            _gate.Open();
        }
    }
}
