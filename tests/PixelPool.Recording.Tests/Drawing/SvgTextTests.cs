using PixelPool.Diagnostics.Drawing;

namespace PixelPool.Recording.Tests.Drawing;

/// <summary>How wide a text is, so that two names do not lie on one another.</summary>
public class SvgTextTests
{
    [Theory]
    [InlineData("画像", 20)]
    [InlineData("한글", 20)]
    [InlineData("ab", 12.6)]
    [InlineData("il", 8.2)]
    public void Letters_of_East_Asia_are_as_wide_as_they_are_high(string text, double width) => Assert.Equal(width, SvgText.Width(text, fontSize: 10), precision: 6);
}
