using Imaging.Codecs.Jpeg;
using ThumbnailService.Memory;

namespace ThumbnailService.Tests.Memory;

public class RequestMemoryTests
{
    /// <summary>The most that libjpeg-turbo 2.1.5 and 3.2 took, counted in <c>malloc</c>, of all samplings that they decode.</summary>
    [Theory]
    [InlineData(60_000, 24, 0, 4_346_784)] // every component sampled 1 × 3
    [InlineData(16, 60_000, 0, 507_744)]
    [InlineData(16, 60_000, 5_760_000, 6_456_240)] // progressive, 4:1:1
    [InlineData(6000, 4000, 144_000_000, 144_213_368)] // progressive, 4:4:4
    public void Decoding_takes_no_more_than_is_reserved_for_it(int width, int height, long coefficientBytes, long countedBytes) =>
        Assert.InRange(RequestMemory.DecoderBytesFor(new JpegHeader(width, height, coefficientBytes)), countedBytes, 2 * countedBytes);
}
