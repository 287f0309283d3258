using System.Globalization;
using PixelPool.Tests.Allocations;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Margins;

/// <summary>
/// Threads rent, return, assemble and trim real memory, while others map and unmap memory of their own: nothing of it is damaged, bytes beside every image can
/// be read all the time, and when everything is returned nothing is left. <c>PIXELPOOLTESTS_STRESS_SECONDS</c> lengthens a run.
/// </summary>
[Trait("Category", "Long")]
public class MappingStressTests
{
    private const double DefaultSeconds = 2;
    private const int Renters = 3;
    private const int Others = 2;

    // What the runtime maps, and keeps, for code, threads and its heap meanwhile.
    private const int TolerableMappings = 300;
    private const long TolerableBytes = 32 << 20;

    /// <summary>Bytes of a block, and of all images.</summary>
    public static TheoryData<int, int> Sizes => new() { { 64 << 10, 64 << 20 }, { 4 << 20, 256 << 20 } };

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Memory_of_others_is_whole_and_nothing_is_left(int blockBytes, int bytes)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux says what is mapped.");
        string seconds = Environment.GetEnvironmentVariable("PIXELPOOLTESTS_STRESS_SECONDS") ?? DefaultSeconds.ToString(CultureInfo.InvariantCulture);
        string seed = Environment.GetEnvironmentVariable("PIXELPOOLTESTS_STRESS_SEED") ?? Random.Shared.Next().ToString(CultureInfo.InvariantCulture);
        ChildProcess.Run(Run, [.. new[] { blockBytes, bytes }.Select(static number => number.ToString(CultureInfo.InvariantCulture)), seconds, seed]);
    }

    private static void Run(string[] arguments)
    {
        int block = int.Parse(arguments[0], CultureInfo.InvariantCulture);
        int blocks = int.Parse(arguments[1], CultureInfo.InvariantCulture) / block;
        var duration = TimeSpan.FromSeconds(double.Parse(arguments[2], CultureInfo.InvariantCulture));
        int seed = int.Parse(arguments[3], CultureInfo.InvariantCulture);
        Console.WriteLine($"PIXELPOOLTESTS_STRESS_SEED={seed}");

        // A little before: code and stacks of the runtime are not what is measured.
        Stress(block, blocks, seed, TimeSpan.FromSeconds(0.5));
        (int mappings, long resident) = (MemoryMap.Read().Mappings, ResidentMemory.Measure());
        Stress(block, blocks, seed + 1, duration);
        (int mappingsAfter, long residentAfter) = (MemoryMap.Read().Mappings, ResidentMemory.Measure());
        Console.WriteLine($"{mappings} mappings and {resident >> 20} MiB before, {mappingsAfter} and {residentAfter >> 20} after");
        Assert.InRange(mappingsAfter, 0, mappings + TolerableMappings);
        Assert.InRange(residentAfter, 0, resident + TolerableBytes);
    }

    private static void Stress(int block, int blocks, int seed, TimeSpan duration)
    {
        TimeProvider time = TimeProvider.System;
        long started = time.GetTimestamp();
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = block,
            SmallBuffers = SmallBufferStrategy.None,
            UnpooledBlockBytes = 3 * block,
            MaxPooledBytes = (long)blocks * block,
            TrimPolicy = TrimPolicy.None,
        });
        Simultaneously.Run(Renters + Others, duration + TimeSpan.FromMinutes(2), thread =>
        {
            var random = new Random((seed * 31) + thread);
            Action step;
            Action end;
            if (thread < Renters)
            {
                var renter = new StressedImages(allocator, block, blocks / Renters, random);
                (step, end) = (renter.Step, renter.ReturnAll);
            }
            else
            {
                var other = new ForeignMemory(random);
                (step, end) = (other.Step, other.ReleaseAll);
            }

            while (time.GetElapsedTime(started) < duration)
            {
                step();
            }

            end();
        });
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Console.WriteLine($"{statistics}; {statistics.AssembledRents} assembled");
        allocator.Trim();
        Assert.Equal((0, 0), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }
}
