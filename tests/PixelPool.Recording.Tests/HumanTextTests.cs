using PixelPool.Diagnostics;
using PixelPool.Diagnostics.Drawing;
using PixelPool.Diagnostics.Text;

namespace PixelPool.Recording.Tests;

/// <summary>What is written into drawings.</summary>
public class HumanTextTests
{
    [Theory]
    [InlineData(0, "0 ms")]
    [InlineData(0.0125, "12.5 ms")]
    [InlineData(1, "1 s")]
    [InlineData(35.14, "35.1 s")]
    [InlineData(59.99, "59.9 s")]
    [InlineData(60, "1 min 0 s")]
    [InlineData(3599, "59 min 59 s")]
    [InlineData(12_000, "3 h 20 min")]
    [InlineData(360_000, "100 h 0 min")]
    public void Times_are_written_for_people(double seconds, string expected) => Assert.Equal(expected, HumanTime.Format(TimeSpan.FromSeconds(seconds)));

    [Theory]
    [InlineData(0, "0 B")]
    [InlineData(1000, "1000 B")]
    [InlineData(1_290_000, "1.23 MiB")]
    [InlineData(64_259_000, "61.3 MiB")]
    [InlineData(327_600_000, "312 MiB")]
    [InlineData(-327_600_000, "-312 MiB")]
    public void Noise_is_rounded_away(long bytes, string expected) => Assert.Equal(expected, ByteSize.FormatRounded(bytes));

    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("<a href=\"x\">&'</a>", "&#60;a href=&#34;x&#34;&#62;&#38;&#39;&#60;/a&#62;")]
    [InlineData("é\U0001F600", "&#233;&#128512;")]
    [InlineData("tab\tand\r\nline", "tab and  line")]
    [InlineData("\0\u001B\uFFFE!", "&#65533;&#65533;&#65533;!")]
    public void Any_text_can_stand_in_xml(string text, string expected) => Assert.Equal(expected, SvgText.Escape(text));

    // Not a theory: attributes are stored as UTF-8, which has no halves of characters.
    [Fact]
    public void Halves_of_characters_are_replaced() =>
        Assert.Equal("&#65533;a&#65533;&#65533;", SvgText.Escape("\uD83Da\uDE00\uD83D"));

    [Theory]
    [InlineData("12345", "12345")]
    [InlineData("123456", "1234…")]
    [InlineData("123\U0001F600567", "123…")]
    [InlineData("", "")]
    public void Long_text_is_cut_between_characters(string text, string expected) => Assert.Equal(expected, SvgText.Shorten(text, 5));
}
