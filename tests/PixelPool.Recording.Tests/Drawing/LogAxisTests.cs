using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Recording.Tests.Drawing;

public class LogAxisTests
{
    [Theory]
    [InlineData(3, 40, "1, 10, 100")]
    [InlineData(10, 1000, "10, 100, 1000")]
    [InlineData(0.2, 0.9, "0.1, 1")]
    public void Decades_reach_around_all_values(double smallest, double largest, string expected) =>
        Assert.Equal(expected, string.Join(", ", LogAxis.ForDecades(smallest, largest, 0, 100, Label).Marks.Select(static mark => mark.Label)));

    [Fact]
    public void Equal_ratios_are_equal_distances()
    {
        var axis = new LogAxis([1, 2, 4, 16], 100, 20, Label);
        Assert.Equal([100, 80, 60, 20], axis.Marks.Select(static mark => Math.Round(mark.Position, 9)));
        Assert.Equal(40, axis.At(8), 1e-9);
    }

    private static string Label(double value) => FormattableString.Invariant($"{value}");
}
