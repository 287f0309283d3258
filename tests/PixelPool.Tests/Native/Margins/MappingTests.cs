using System.Globalization;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Margins;

/// <summary>The kernel lets a process have so many mappings, and no thread or array begins when they are used up.</summary>
[Trait("Category", "Long")]
public class MappingTests
{
    private const int BlockBytes = 64 << 10;
    private const int Blocks = 70_000;
    private const int RunBlocks = 1000;

    // What the runtime maps for compiled code and its heap meanwhile.
    private const int TolerableMappings = 400;

    [Fact]
    public void Blocks_that_are_moved_leave_most_mappings_to_the_process_and_none_behind() => OnLinux(MoveMany);

    [Fact]
    public void Blocks_that_go_one_by_one_leave_most_mappings_to_the_process_and_none_behind() => OnLinux(TrimEverySecond);

    private static void OnLinux(Action body)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux says what is mapped.");
        ChildProcess.Run(body);
    }

    // One byte of each block is written: a block that has no pages merges with what lies beside it.
    private static void MoveMany()
    {
        int before = MemoryMap.Read().Mappings;
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] images = RentAndReturnEverySecond(allocator);
        List<PixelBuffer<byte>> runs = [];
        while (runs.Count == allocator.GetStatistics().AssembledRents && runs.Count < Blocks / RunBlocks)
        {
            runs.Add(allocator.Rent<byte>(BlockBytes, RunBlocks, AllocationOptions.Contiguous));
        }

        Console.WriteLine($"{allocator.GetStatistics().AssembledRents} assembled runs");
        AssertRoomForOthers(before);
        Array.ForEach(images, static image => image.Dispose());
        runs.ForEach(static run => run.Dispose());
        allocator.Trim();
        AssertNoneLeft(before);
    }

    private static void TrimEverySecond()
    {
        int before = MemoryMap.Read().Mappings;
        using PixelAllocator allocator = Create();
        PixelBuffer<byte>[] images = RentAndReturnEverySecond(allocator);
        allocator.Trim();
        AssertRoomForOthers(before);
        foreach (PixelBuffer<byte> image in images)
        {
            image.Dispose();
        }

        allocator.Trim();
        AssertNoneLeft(before);
    }

    private static PixelAllocator Create() => PixelAllocator.Create(new PixelAllocatorOptions
    {
        BlockBytes = BlockBytes,
        SmallBuffers = SmallBufferStrategy.None,
        MaxPooledBytes = 4L * Blocks * BlockBytes,
        TrimPolicy = TrimPolicy.None,
    });

    private static PixelBuffer<byte>[] RentAndReturnEverySecond(PixelAllocator allocator)
    {
        PixelBuffer<byte>[] images = new PixelBuffer<byte>[2 * Blocks];
        for (int i = 0; i < images.Length; i++)
        {
            images[i] = allocator.Rent<byte>(BlockBytes, 1);
            images[i][0, 0] = 1;
        }

        for (int i = 0; i < images.Length; i += 2)
        {
            images[i].Dispose();
        }

        return images;
    }

    private static void AssertRoomForOthers(int before)
    {
        int during = MemoryMap.Read().Mappings;
        int most = int.Parse(File.ReadAllText("/proc/sys/vm/max_map_count"), CultureInfo.InvariantCulture);
        Console.WriteLine($"{before} mappings before, {during} now, {most} at most");
        var thread = new Thread(static () => GC.KeepAlive(new byte[64 << 20]));
        thread.Start();
        thread.Join();
        Assert.InRange(during, 0, (most / 2) + before + TolerableMappings);
    }

    private static void AssertNoneLeft(int before)
    {
        int after = MemoryMap.Read().Mappings;
        Console.WriteLine($"{after} mappings after");
        Assert.InRange(after, 0, before + TolerableMappings);
    }
}
