using PixelPool.Threading;

namespace PixelPool.Tests.Threading;

/// <summary>A wake-up, or work for others, is neither lost to an interrupt nor to a moment without memory.</summary>
public class UninterruptedTests
{
    [Fact]
    public void Work_that_an_interrupt_stopped_is_done_again_and_the_interrupt_is_kept()
    {
        int attempts = 0;
        Uninterrupted.Do(
            _ =>
            {
                if (++attempts < 3)
                {
                    throw new ThreadInterruptedException();
                }
            },
            this);
        Assert.Equal(3, attempts);
        Assert.Throws<ThreadInterruptedException>(() => Thread.CurrentThread.Join(TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public void Work_that_found_no_memory_is_done_again_and_nobody_is_interrupted()
    {
        int attempts = 0;
        Uninterrupted.Do(
            _ =>
            {
                if (++attempts < 3)
                {
                    throw new OutOfMemoryException();
                }
            },
            this);
        Assert.Equal(3, attempts);
        Assert.False(Thread.CurrentThread.Join(TimeSpan.Zero));
    }

    [Fact]
    public void What_else_it_throws_is_the_callers()
    {
        int attempts = 0;
        Assert.Throws<InvalidOperationException>(() => Uninterrupted.Do(
            _ =>
            {
                attempts++;
                throw new InvalidOperationException();
            },
            this));
        Assert.Equal(1, attempts);
    }
}
