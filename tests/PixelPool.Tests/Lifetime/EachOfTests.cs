using PixelPool.Lifetime;
using PixelPool.Tests.Threading;

namespace PixelPool.Tests.Lifetime;

/// <summary>All are ended, from the last one to the first, whatever they throw.</summary>
public sealed unsafe class EachOfTests
{
    [Fact]
    public void All_are_ended_and_the_first_failure_is_thrown()
    {
        var ended = new List<int>();
        var failure = Assert.Throws<InvalidOperationException>(() => EachOf.End(4, ended, &FailAtTwoAndOne));
        Assert.Equal("2", failure.Message);
        Assert.Equal([3, 2, 1, 0], ended);
    }

    [Fact]
    public void Without_a_failure_nothing_is_thrown()
    {
        var ended = new List<int>();
        EachOf.End(3, ended, &Add);
        EachOf.End(0, ended, &Add);
        Assert.Equal([2, 1, 0], ended);
    }

    /// <summary>Only one failure is thrown. An interrupt that came after it is still to come.</summary>
    [Fact]
    public void An_interrupt_after_a_failure_is_kept()
    {
        var ended = new List<int>();
        Assert.Throws<InvalidOperationException>(() => EachOf.End(4, ended, &FailAtTwoAndBeInterruptedAtOne));
        Assert.True(PendingInterrupt.Take());
        Assert.Equal([3, 2, 1, 0], ended);
    }

    [Fact]
    public void An_interrupt_that_is_thrown_is_not_kept()
    {
        var ended = new List<int>();
        Assert.Throws<ThreadInterruptedException>(() => EachOf.End(2, ended, &BeInterruptedAtOne));
        Assert.False(PendingInterrupt.Take());
        Assert.Equal([1, 0], ended);
    }

    private static void Add(List<int> ended, int index) => ended.Add(index);

    private static void FailAtTwoAndOne(List<int> ended, int index)
    {
        ended.Add(index);
        if (index is 1 or 2)
        {
            throw new InvalidOperationException($"{index}");
        }
    }

    private static void FailAtTwoAndBeInterruptedAtOne(List<int> ended, int index)
    {
        BeInterruptedAtOne(ended, index);
        if (index == 2)
        {
            throw new InvalidOperationException();
        }
    }

    private static void BeInterruptedAtOne(List<int> ended, int index)
    {
        ended.Add(index);
        if (index == 1)
        {
            throw new ThreadInterruptedException();
        }
    }
}
