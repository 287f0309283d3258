using PixelPool.Trimming;

namespace PixelPool.Tests.Trimming;

public class IdleHistoryTests
{
    /// <summary>A stripe that kept 10 blocks for long, then had a period in which <paramref name="lastLow"/> stayed, and one in which <paramref name="low"/> do so far.</summary>
    [Theory]
    [InlineData(10, 10, 0, 10)]
    [InlineData(10, 10, 4, 6)]
    [InlineData(3, 10, 0, 3)]
    [InlineData(3, 10, 2, 1)]
    [InlineData(3, 10, 5, 0)]
    [InlineData(10, 4, 0, 4)]
    [InlineData(10, 4, 2, 2)]
    [InlineData(10, 4, 5, 0)]
    public void Blocks_that_left_from_the_bottom_are_forgotten_in_all_periods(int lastLow, int low, int left, int expected)
    {
        var history = new IdleHistory();
        for (int i = 0; i <= IdleHistory.Periods; i++)
        {
            history.EndPeriod(10);
        }

        history.Observe(lastLow);
        history.EndPeriod(10);
        history.Observe(low);
        history.Forget(left);
        Assert.Equal(expected, history.EndPeriod(10));
    }
}
