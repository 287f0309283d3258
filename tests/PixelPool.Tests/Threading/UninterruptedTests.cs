using System.Runtime.CompilerServices;
using PixelPool.Threading;

namespace PixelPool.Tests.Threading;

/// <summary>A wake-up, or work for others, is neither lost to an interrupt nor to a moment without memory.</summary>
public sealed unsafe class UninterruptedTests
{
    private readonly StrongBox<int> _attempts = new();

    [Fact]
    public void Work_that_an_interrupt_stopped_is_done_again_and_the_interrupt_is_kept()
    {
        Uninterrupted.Do(&InterruptTwice, _attempts);
        Assert.Equal(3, _attempts.Value);
        Assert.Throws<ThreadInterruptedException>(() => Thread.CurrentThread.Join(TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public void Work_that_found_no_memory_is_done_again_and_nobody_is_interrupted()
    {
        Uninterrupted.Do(&RunOutOfMemoryTwice, _attempts);
        Assert.Equal(3, _attempts.Value);
        Assert.False(Thread.CurrentThread.Join(TimeSpan.Zero));
    }

    [Fact]
    public void Work_that_may_be_left_out_is_done_again_after_an_interrupt_only()
    {
        Assert.False(Uninterrupted.TryDo(&RunOutOfMemoryTwice, _attempts));
        Assert.Equal(1, _attempts.Value);
        _attempts.Value = 0;
        Assert.True(Uninterrupted.TryDo(&InterruptTwice, _attempts));
        Assert.Equal(3, _attempts.Value);
        Assert.Throws<ThreadInterruptedException>(() => Thread.CurrentThread.Join(TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public void What_else_it_throws_is_the_callers()
    {
        Assert.Throws<InvalidOperationException>(() => Uninterrupted.Do(&Fail, _attempts));
        Assert.Equal(1, _attempts.Value);
    }

    private static void InterruptTwice(StrongBox<int> attempts)
    {
        if (++attempts.Value < 3)
        {
            throw new ThreadInterruptedException();
        }
    }

    private static void RunOutOfMemoryTwice(StrongBox<int> attempts)
    {
        if (++attempts.Value < 3)
        {
            throw new OutOfMemoryException();
        }
    }

    private static void Fail(StrongBox<int> attempts)
    {
        attempts.Value++;
        throw new InvalidOperationException();
    }
}
