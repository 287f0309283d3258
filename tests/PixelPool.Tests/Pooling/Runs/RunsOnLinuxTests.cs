using PixelPool.Tests.Allocations;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.Runs;

/// <summary>Moved pages, as the kernel counts them: in child processes whose resident memory nobody else changes.</summary>
public class RunsOnLinuxTests
{
    private const int BlockBytes = 4 << 20;
    private const int Blocks = 16;
    private const long RunBytes = (long)Blocks * BlockBytes;
    private const long TolerableBytes = 8 << 20;

    [Fact]
    public void Assembly_takes_no_memory_and_trimming_gives_it_back() => OnLinux(AssembleAndTrim);

    [Fact]
    public void Parts_of_a_run_leave_alone() => OnLinux(TrimParts);

    private static void OnLinux(Action body)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Memory is divisible on Linux only.");
        ChildProcess.Run(body);
    }

    private static void AssembleAndTrim()
    {
        using PixelAllocator allocator = Create();
        Warm();
        long before = ResidentMemory.Measure();
        PixelBuffer<byte>[] images = RentScattered(allocator);
        long full = ResidentMemory.Measure();
        using (PixelBuffer<byte> run = allocator.Rent<byte>(BlockBytes, Blocks, AllocationOptions.Contiguous))
        {
            long assembled = ResidentMemory.Measure();
            Report(("before", before), ("rented and returned", full), ("assembled", assembled));
            Assert.Equal(1, allocator.GetStatistics().AssembledRents);
            Assert.InRange(assembled - full, -TolerableBytes, TolerableBytes);
            Assert.Equal(Enumerable.Range(0, Blocks).Select(static i => (byte)(2 * i)), FirstBytes(run).Order());
            for (int y = 0; y < Blocks; y++)
            {
                Assert.False(run.DangerousGetRowSpan(y).ContainsAnyExcept(run[0, y]));
            }

            PixelPattern.Fill(run, 0xFF);
            Assert.InRange(ResidentMemory.Measure() - full, -TolerableBytes, TolerableBytes);
        }

        VerifyAndReturn(images);
        long idle = ResidentMemory.Measure();
        Assert.Equal(2 * RunBytes, allocator.GetStatistics().IdleBytes);
        Assert.Equal(RunBytes, allocator.TrimTo(RunBytes));
        long half = ResidentMemory.Measure();
        Assert.Equal(RunBytes, allocator.Trim());
        long after = ResidentMemory.Measure();
        Report(("idle", idle), ("half", half), ("after", after));
        Assert.InRange(idle - half, RunBytes - TolerableBytes, RunBytes + TolerableBytes);
        Assert.InRange(half - after, RunBytes - TolerableBytes, RunBytes + TolerableBytes);
        Assert.InRange(after - before, -TolerableBytes, TolerableBytes);
    }

    private static void TrimParts()
    {
        using PixelAllocator allocator = Create();
        Warm();
        long before = ResidentMemory.Measure();
        using (PixelBuffer<byte> run = allocator.Rent<byte>(BlockBytes, Blocks, AllocationOptions.Contiguous))
        {
            PixelPattern.Fill(run, 1);
        }

        for (int left = Blocks - 1; left >= 0; left -= 5)
        {
            allocator.TrimTo((long)left * BlockBytes);
            long resident = ResidentMemory.Measure();
            Report(($"{left} blocks", resident - before));
            Assert.InRange(resident - before, ((long)left * BlockBytes) - TolerableBytes, ((long)left * BlockBytes) + TolerableBytes);
            Assert.Equal((long)left * BlockBytes, allocator.GetStatistics().IdleBytes);
        }
    }

    // Every second of the blocks is idle.
    private static PixelBuffer<byte>[] RentScattered(PixelAllocator allocator)
    {
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 2 * Blocks).Select(_ => allocator.Rent<byte>(1024, 4096)).OrderBy(RunSystem.AddressOf)];
        for (int i = 0; i < images.Length; i++)
        {
            PixelPattern.Fill(images[i], (byte)i);
        }

        for (int i = 0; i < images.Length; i += 2)
        {
            images[i].Dispose();
        }

        return images;
    }

    private static void VerifyAndReturn(PixelBuffer<byte>[] images)
    {
        for (int i = 1; i < images.Length; i += 2)
        {
            PixelPattern.AssertEveryByte(images[i], (byte)i);
            images[i].Dispose();
        }
    }

    private static byte[] FirstBytes(PixelBuffer<byte> run) => [.. Enumerable.Range(0, run.Height).Select(y => run[0, y])];

    // Compiled code and heaps of the runtime are not what is measured.
    private static void Warm()
    {
        using PixelAllocator allocator = Create();
        using PixelBuffer<byte> run = allocator.Rent<byte>(BlockBytes, 2, AllocationOptions.Contiguous);
        PixelPattern.Fill(run, 1);
        PixelPattern.AssertEveryByte(run, 1);
        ResidentMemory.Measure();
    }

    private static PixelAllocator Create() =>
        PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 4 * RunBytes, TrimPolicy = TrimPolicy.None });

    private static void Report(params (string Name, long Bytes)[] resident) =>
        Console.WriteLine($"resident MiB: {string.Join(", ", resident.Select(static entry => FormattableString.Invariant($"{entry.Bytes / (double)(1 << 20):0.0} {entry.Name}")))}");
}
