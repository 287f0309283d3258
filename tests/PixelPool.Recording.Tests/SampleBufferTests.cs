using PixelPool.Diagnostics;
using PixelPool.Diagnostics.Sampling;

namespace PixelPool.Recording.Tests;

public class SampleBufferTests
{
    [Theory]
    [InlineData("1952", "0000", "01")] // the earliest of those that rent the same
    [InlineData("1955", "0012", "13")]
    [InlineData("1119", "0073", "23")] // the sample with the most rented stays beside the one with the most resident
    [InlineData("9111", "9002", "03")] // the same sample has both peaks: the next highest stays, too
    [InlineData("5555", "0000", "01")]
    public void Of_four_samples_those_with_the_most_resident_and_rented_memory_stay(string resident, string rented, string expected)
    {
        var buffer = new SampleBuffer();
        for (int i = 0; !buffer.IsFull; i++)
        {
            buffer.Add(new MemorySample(
                TimeSpan.FromTicks(i), resident[i % 4] - '0', new PixelPoolStatistics { RentedBytes = rented[i % 4] - '0' }));
        }

        buffer.Halve();
        Assert.Equal(SampleBuffer.Capacity / 2, buffer.Count);
        for (int i = 0; i < buffer.Count; i++)
        {
            Assert.Equal((i / 2 * 4) + expected[i % 2] - '0', buffer.Samples[i].Elapsed.Ticks);
        }
    }
}
