using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Recording.Tests.Drawing;

public class LinearAxisTests
{
    [Theory]
    [InlineData(0, "0, 1 ms")]
    [InlineData(0.25, "0, 50 ms, 100 ms, 150 ms, 200 ms, 250 ms")]
    [InlineData(1.5, "0, 0.2 s, 0.4 s, 0.6 s, 0.8 s, 1 s, 1.2 s, 1.4 s")]
    [InlineData(45, "0, 10 s, 20 s, 30 s, 40 s")]
    [InlineData(240, "0, 30 s, 60 s, 90 s, 120 s, 150 s, 180 s, 210 s, 240 s")]
    [InlineData(250, "0, 1 min, 2 min, 3 min, 4 min")]
    [InlineData(7200, "0, 20 min, 40 min, 60 min, 80 min, 100 min, 120 min")]
    [InlineData(30_000, "0, 2 h, 4 h, 6 h, 8 h")]
    [InlineData(2_600_000, "0, 96 h, 192 h, 288 h, 384 h, 480 h, 576 h, 672 h")]
    public void Times_have_round_marks_in_one_unit(double seconds, string expected) =>
        Assert.Equal(expected, string.Join(", ", LinearAxis.ForTime(TimeSpan.FromSeconds(seconds), 0, 100).Marks.Select(static mark => mark.Label)));

    [Theory]
    [InlineData(4, "0, 5 s, 10 s")]
    [InlineData(6, "0, 5 s, 10 s")]
    [InlineData(7, "0, 2 s, 4 s, 6 s, 8 s, 10 s, 12 s")]
    public void A_narrow_axis_has_fewer_marks(int maxMarks, string expected) => Assert.Equal(
        expected, string.Join(", ", LinearAxis.ForTime(TimeSpan.FromSeconds(13.4), 0, 100, maxMarks).Marks.Select(static mark => mark.Label)));

    [Theory]
    [InlineData(0, "0 B, 256 KiB, 512 KiB, 768 KiB, 1 MiB")]
    [InlineData(100 << 20, "0 B, 16 MiB, 32 MiB, 48 MiB, 64 MiB, 80 MiB, 96 MiB, 112 MiB")]
    [InlineData(1400L << 20, "0 B, 256 MiB, 512 MiB, 768 MiB, 1 GiB, 1.25 GiB, 1.5 GiB")]
    public void Sizes_have_marks_at_powers_of_two_up_to_the_end(long bytes, string expected)
    {
        var axis = LinearAxis.ForBytes(bytes, 100, 0);
        Assert.Equal(expected, string.Join(", ", axis.Marks.Select(static mark => mark.Label)));
        Assert.Equal((100, 0), (axis.Marks.First().Position, Math.Round(axis.Marks.Last().Position, 9)));
        Assert.InRange(axis.At(bytes), 0.0001, 100);
    }
}
