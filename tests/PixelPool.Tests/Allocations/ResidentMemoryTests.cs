using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocations;

/// <summary>Memory that was given back is really gone: in a child process whose resident memory nobody else changes.</summary>
public class ResidentMemoryTests
{
    private const int Threads = 8;
    private const int BlockBytes = 4 << 20;
    private const int BlocksPerThread = 8;
    private const long TotalBytes = (long)Threads * BlocksPerThread * BlockBytes;
    private const long TolerableBytes = 8 << 20;

    [Fact]
    public void Trim_gives_everything_back() => ChildProcess.Run(TrimAndMeasure);

    [Fact]
    public void Dispose_gives_everything_back() => ChildProcess.Run(DisposeAndMeasure);

    [Fact]
    public void Collection_of_a_dropped_allocator_gives_everything_back() => ChildProcess.Run(DropAndMeasure);

    [Fact]
    public void Unpooled_memory_is_gone_at_once() => ChildProcess.Run(MeasureUnpooled);

    /// <summary>The system has cleared it. Some huge pages are touched to see whether they are fast.</summary>
    [Theory]
    [InlineData(AllocationOptions.Clean)]
    [InlineData(AllocationOptions.Clean | AllocationOptions.Contiguous)]
    public void Clean_memory_that_is_fresh_is_not_touched(AllocationOptions options) =>
        ChildProcess.Run(options == AllocationOptions.Clean ? MeasureCleanBlocks : MeasureCleanRun);

    private static void MeasureCleanBlocks() => MeasureClean(AllocationOptions.Clean);

    private static void MeasureCleanRun() => MeasureClean(AllocationOptions.Clean | AllocationOptions.Contiguous);

    private static void MeasureClean(AllocationOptions options)
    {
        // More than the pool may hold.
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 4 * BlockBytes });
        long before = ResidentMemory.Measure();
        using PixelBuffer<byte> image = allocator.Rent<byte>(BlockBytes, Threads * BlocksPerThread, options);
        Assert.InRange(ResidentMemory.Measure() - before, long.MinValue, TotalBytes / 4);
        Assert.Equal(0, image[BlockBytes - 1, image.Height - 1]);
    }

    private static void TrimAndMeasure()
    {
        using PixelAllocator allocator = Create();
        Measure(() =>
        {
            RentTouchAndReturn(allocator);
            long full = ResidentMemory.Measure();
            Assert.Equal(TotalBytes, allocator.GetStatistics().IdleBytes);
            Assert.Equal(TotalBytes, allocator.Trim());
            return full;
        });
    }

    private static void DisposeAndMeasure() => Measure(static () =>
    {
        PixelAllocator allocator = Create();
        RentTouchAndReturn(allocator);
        long full = ResidentMemory.Measure();
        allocator.Dispose();
        return full;
    });

    private static void DropAndMeasure() => Measure(static () =>
    {
        PixelAllocator allocator = Create();
        RentTouchAndReturn(allocator);
        long full = ResidentMemory.Measure();
        GC.KeepAlive(allocator);
        return full;
    });

    private static void MeasureUnpooled()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 0 });
        Measure(() =>
        {
            PixelBuffer<uint> image = allocator.Rent<uint>(1024, 65536);
            image.Fill(1);
            long full = ResidentMemory.Measure();
            image.Dispose();
            Assert.Equal(0, allocator.GetStatistics().IdleBytes);
            return full;
        });
    }

    private static PixelAllocator Create() =>
        PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 2 * TotalBytes, TrimPolicy = TrimPolicy.None });

    // A little work on as many threads goes before: compiled code, stacks and heaps of the runtime are not what is measured.
    private static void Measure(Func<long> useAndGiveBack)
    {
        if (!OperatingSystem.IsLinux())
        {
            Console.WriteLine("Resident memory is measured on Linux only.");
            return;
        }

        long cold = ResidentMemory.Measure();
        using (PixelAllocator small = Create())
        {
            RentTouchAndReturn(small, blocksPerThread: 1);
        }

        long before = ResidentMemory.Measure();
        long full = Call(useAndGiveBack);
        long after = ResidentMemory.Measure();
        Console.WriteLine($"resident MiB: {Mebibytes(cold)} at the start, {Mebibytes(before)} before, {Mebibytes(full)} with {TotalBytes >> 20} MiB of pixels, {Mebibytes(after)} after");
        Assert.InRange(full - before, TotalBytes, TotalBytes + (32 << 20));
        Assert.True(after - before <= TolerableBytes, $"{Mebibytes(after - before)} MiB stayed");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Call(Func<long> use) => use();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentTouchAndReturn(PixelAllocator allocator, int blocksPerThread = BlocksPerThread)
    {
        using var rented = new Barrier(Threads);
        Simultaneously.Run(Threads, thread =>
        {
            using var scope = new RentScope(allocator);
            for (int i = 0; i < blocksPerThread; i++)
            {
                scope.Rent<uint>(1024, 1024).Fill((uint)thread);
            }

            // All of it is rented at once.
            rented.SignalAndWait();
        });
    }

    private static string Mebibytes(long bytes) => FormattableString.Invariant($"{bytes / (double)(1 << 20):0.0}");
}
