using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse.Traces;

/// <summary>
/// Pixels are written, go back in some way, and everything that the pool can give is rented clean then: no byte of them is there. With <see cref="PixelAllocatorOptions.ClearOnReturn"/>, in
/// memory that was not asked to be clean either.
/// </summary>
public sealed class TraceTests
{
    private const int Block = TestSystem.BlockBytes;

    public static TheoryData<string> Paths => [.. TracePaths.Names];

    [Theory]
    [MemberData(nameof(Paths))]
    public void Clean_memory_has_no_trace_of_what_went_back(string path) => Check(path, clearOnReturn: false);

    [Theory]
    [MemberData(nameof(Paths))]
    public void Cleared_memory_has_no_trace_of_what_went_back(string path) => Check(path, clearOnReturn: true);

    private static void Check(string path, bool clearOnReturn)
    {
        foreach (SmallBufferStrategy strategy in Enum.GetValues<SmallBufferStrategy>())
        {
            using var system = new MisusedAllocator(strategy, options => options.ClearOnReturn = clearOnReturn);

            // What is there before is used, too.
            RentEverything(system.Allocator, AllocationOptions.None, static image => image.Fill(TracePaths.Secret));
            TracePaths.Take(path, system);
            Assert.Equal((0, 0), (system.Statistics.RentedBytes, system.Statistics.ChargedBytes));
            RentEverything(system.Allocator, clearOnReturn ? AllocationOptions.None : AllocationOptions.Clean, static image =>
            {
                PixelPattern.AssertEveryByte(image, 0);
                image.Fill(TracePaths.Secret);
            });
            Assert.Equal(0, system.Statistics.RentedBytes);
            StatisticsAssert.Balanced(system.Statistics);
        }
    }

    // In each shape all that the pool holds, and more than that.
    private static void RentEverything(PixelAllocator allocator, AllocationOptions options, Action<PixelBuffer<byte>> use)
    {
        foreach ((int width, int height, int count, AllocationOptions asked) in new[]
        {
            (Block, 1, MisusedAllocator.CapacityInBlocks, AllocationOptions.None),
            (1000, 1, 60, AllocationOptions.None),
            (Block, 5, 4, AllocationOptions.Contiguous),
            (4000, 1, 60, AllocationOptions.None),
            (999, 130, 8, AllocationOptions.None),
            (1000, 400, 3, AllocationOptions.None),
            (60, 1, 200, AllocationOptions.None),
        })
        {
            using var scope = new RentScope(allocator);
            for (int i = 0; i < count; i++)
            {
                use(scope.Rent<byte>(width, height, options | asked));
            }
        }
    }
}
