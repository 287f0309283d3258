using LoadResizeSave.Codecs.Png;

namespace LoadResizeSave.Tests.Codecs;

public class Crc32Tests
{
    [Fact]
    public void It_is_the_checksum_that_the_standard_gives_as_an_example() => Assert.Equal(0xCBF43926, Crc32.Of("123456789"u8));

    [Fact]
    public void It_agrees_with_a_bit_at_a_time_at_every_length()
    {
        byte[] bytes = new byte[70];
        new Random(1).NextBytes(bytes);
        for (int length = 0; length <= bytes.Length; length++)
        {
            Assert.Equal(PngFile.Checksum(bytes.Take(length)), Crc32.Of(bytes.AsSpan(0, length)));
        }
    }

    [Fact]
    public void It_can_be_continued_anywhere()
    {
        byte[] bytes = [.. Enumerable.Range(0, 40).Select(i => (byte)(i * 7))];
        for (int cut = 0; cut <= bytes.Length; cut++)
        {
            Assert.Equal(Crc32.Of(bytes), Crc32.Continue(Crc32.Of(bytes.AsSpan(0, cut)), bytes.AsSpan(cut)));
        }
    }
}
