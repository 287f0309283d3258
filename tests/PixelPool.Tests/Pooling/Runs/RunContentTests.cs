using PixelPool.Native;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.Runs;

/// <summary>Nobody sees pixels of another image in clean memory, however a run came about.</summary>
public class RunContentTests
{
    public static TheoryData<MemoryKind> Kinds => RunSystem.Kinds;

    public static TheoryData<MemoryKind, bool> KindsWithAndWithoutZeroes => new()
    {
        { MemoryKind.Whole, true },
        { MemoryKind.Whole, false },
        { MemoryKind.Divisible, true },
        { MemoryKind.Divisible, false },
        { MemoryKind.Real, true },
    };

    [Theory]
    [MemberData(nameof(KindsWithAndWithoutZeroes))]
    public void Clean_runs_are_zero_however_they_came_about(MemoryKind kind, bool zeroed)
    {
        using RunSystem system = Create(kind, zeroed);
        AssertClean(system, 5);

        // As it was, with slack, and cut.
        AssertClean(system, 5);
        AssertClean(system, 16);
        AssertClean(system, 15);
        AssertClean(system, 3);
        AssertClean(system, 2);

        // Of scattered blocks, and of these and fresh ones.
        PixelBuffer<byte>[] between = system.MakeScattered(6);
        AssertClean(system, 5);
        AssertClean(system, 30);
        RunSystem.VerifyAndReturn(between);

        // Single blocks of a run that was split.
        using PixelBuffer<byte> anywhere = system.RentAnywhere(40, AllocationOptions.Clean);
        PixelPattern.AssertEveryByte(anywhere, 0);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Clean_runs_of_other_threads_are_zero(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        Simultaneously.Run(6, _ => system.MakeIdleRun(4));
        for (int i = 0; i < 6; i++)
        {
            PixelBuffer<byte> image = system.Rent(4, AllocationOptions.Clean);
            PixelPattern.AssertEveryByte(image, 0);
            PixelPattern.Fill(image, 0xFF);
            Simultaneously.Run(1, _ => image.Dispose());
        }
    }

    [Theory]
    [MemberData(nameof(KindsWithAndWithoutZeroes))]
    public void Clean_image_that_does_not_fill_its_last_block_is_zero(MemoryKind kind, bool zeroed)
    {
        using RunSystem system = Create(kind, zeroed);
        for (int rows = 200; rows < 1000; rows += 77)
        {
            system.MakeIdleRun((rows * 1001 / RunSystem.Block) + 1);
            using PixelBuffer<byte> image = system.Allocator.Rent<byte>(1001, rows, AllocationOptions.Contiguous | AllocationOptions.Clean);
            PixelPattern.AssertEveryByte(image, 0);
            PixelPattern.Fill(image, 0xEE);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void With_ClearOnReturn_nothing_idle_has_old_pixels(MemoryKind kind)
    {
        if (kind == MemoryKind.Real && !BlockSource.System.IsZeroed)
        {
            Assert.Skip("Fresh memory is not zero here to begin with.");
        }

        using var system = new RunSystem(kind, configure: static options => options.ClearOnReturn = true);
        PixelBuffer<byte>[] between = system.MakeScattered(6);
        AssertZeroThoughNobodyAsked(system.Rent(4));
        AssertZeroThoughNobodyAsked(system.Rent(8));
        AssertZeroThoughNobodyAsked(system.Rent(3));
        AssertZeroThoughNobodyAsked(system.RentAnywhere(12));
        AssertZeroThoughNobodyAsked(system.Rent(12));
        AssertZeroThoughNobodyAsked(system.Allocator.Rent<byte>(1001, 300, AllocationOptions.Contiguous));
        AssertZeroThoughNobodyAsked(system.Rent(12));
        AssertZeroThoughNobodyAsked(system.Rent(5, AllocationOptions.Clean));
        RunSystem.VerifyAndReturn(between);
    }

    private static RunSystem Create(MemoryKind kind, bool zeroed) =>
        new(kind, system: new TestSystem(zeroed, divisible: kind == MemoryKind.Divisible));

    private static void AssertClean(RunSystem system, int blocks)
    {
        using PixelBuffer<byte> image = system.Rent(blocks, AllocationOptions.Clean);
        PixelPattern.AssertEveryByte(image, 0);
        PixelPattern.Fill(image, 0xFF);
    }

    private static void AssertZeroThoughNobodyAsked(PixelBuffer<byte> image)
    {
        PixelPattern.AssertEveryByte(image, 0);
        PixelPattern.Fill(image, 0xFF);
        image.Dispose();
    }
}
