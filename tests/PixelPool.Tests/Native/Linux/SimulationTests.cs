using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>
/// Any order of events, with calls that the kernel refuses and with others who map memory where some was unmapped a moment before: the kernel of these tests
/// fails them when a page is touched that is not ours.
/// </summary>
public class SimulationTests
{
    private const int HugePage = 2 << 20;

    /// <summary>Bytes of a page and of a block, mappings the process may have, and a seed.</summary>
    public static TheoryData<int, int, int, int> Systems =>
    [
        .. from sizes in new[] { (4096, 64 << 10), (32 << 10, 64 << 10), (64 << 10, 64 << 10), (16 << 10, HugePage) }
           from most in new[] { 65_530, 60 }
           from seed in Enumerable.Range(1, 3)
           select (sizes.Item1, sizes.Item2, most, seed),
    ];

    [Theory]
    [MemberData(nameof(Systems))]
    public void Everything_held_is_whole_and_nothing_is_left(int page, int block, int most, int seed)
    {
        var kernel = new FakeKernel(page, most);
        var random = new Random(seed);
        var blocks = new SimulatedBlocks(kernel, new LinuxBlockSource(kernel), block, random);
        for (int step = 0; step < 500; step++)
        {
            blocks.Step();
            blocks.Verify();
        }

        blocks.ReleaseAll();
        Assert.Equal(0, kernel.OwnPages);
    }

    [Theory]
    [MemberData(nameof(Systems))]
    public void Refusals_lose_addresses_and_nothing_else(int page, int block, int most, int seed)
    {
        var kernel = new FakeKernel(page, most);
        var random = new Random(seed);
        var others = new SimulatedOthers(kernel, new Random(seed + 1));
        var source = new LinuxBlockSource(kernel);
        var blocks = new SimulatedBlocks(kernel, source, block, random);
        int lost = 0;
        int kept = 0;
        kernel.RefusesMap = (_, _) => random.Next(20) == 0;
        kernel.RefusesUnmap = (_, bytes) =>
        {
            bool isRefused = random.Next(5) == 0;
            kept += isRefused ? (int)(bytes / page) : 0;
            return isRefused;
        };
        kernel.RefusesMove = _ =>
        {
            PlaceAfter? place = random.Next(10) != 0 ? null : random.Next(2) == 0 ? PlaceAfter.Kept : PlaceAfter.Hole;
            lost += place == PlaceAfter.Kept ? 1 : 0;
            return place;
        };
        kernel.OnChanged = others.Step;
        for (int step = 0; step < 500; step++)
        {
            blocks.Step();
            blocks.Verify();
        }

        kernel.RefusesMap = kernel.RefusesUnmap = null;
        kernel.RefusesMove = null;
        blocks.ReleaseAll();

        // What stays mapped is no memory.
        Assert.InRange(lost, 0, 4);
        Assert.Equal((kept + (lost * (block / page)), 0), (kernel.OwnPages, kernel.WrittenPages));
        others.ReleaseAll();
        Assert.Equal(0, kernel.OtherPages);
    }

    [Theory]
    [MemberData(nameof(Systems))]
    public void Threads_never_touch_what_the_others_gave_back(int page, int block, int most, int seed)
    {
        const int Threads = 4;
        var kernel = new FakeKernel(page, most);
        var source = new LinuxBlockSource(kernel);
        SimulatedBlocks[] blocks = [.. Enumerable.Range(0, Threads).Select(thread => new SimulatedBlocks(kernel, source, block, new Random((seed * Threads) + thread)))];
        var others = new SimulatedOthers(kernel, new Random(seed));
        Simultaneously.Run(Threads + 1, thread =>
        {
            for (int step = 0; step < 300; step++)
            {
                if (thread == Threads)
                {
                    others.Step();
                    continue;
                }

                blocks[thread].Step();
                blocks[thread].Verify();
            }
        });
        Simultaneously.Run(Threads, thread => blocks[thread].ReleaseAll());
        Assert.Equal(0, kernel.OwnPages);
        others.ReleaseAll();
    }
}
