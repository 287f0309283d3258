using PixelPool.Native;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.Runs;

/// <summary>An allocator of small blocks on one kind of memory, with images of whole blocks.</summary>
internal sealed class RunSystem : IDisposable
{
    public const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system;
    private readonly MemoryKind _kind;

    public RunSystem(MemoryKind kind, int capacity = 64, Action<PixelAllocatorOptions>? configure = null, TestSystem? system = null)
    {
        _kind = kind;
        _system = system ?? new TestSystem(divisible: kind == MemoryKind.Divisible);
        Options = _system.Options(capacity, configure);
        Options.BlockSource = kind == MemoryKind.Real ? BlockSource.System : _system.Source;
        Allocator = PixelAllocator.Create(Options);
    }

    /// <summary>Every kind of memory.</summary>
    public static TheoryData<MemoryKind> Kinds => [.. Enum.GetValues<MemoryKind>()];

    /// <summary>Memory whose blocks can be moved.</summary>
    public static TheoryData<MemoryKind> DivisibleKinds
    {
        get
        {
            TheoryData<MemoryKind> kinds = [MemoryKind.Divisible];
            if (BlockSource.System.IsDivisible)
            {
                kinds.Add(MemoryKind.Real);
            }

            return kinds;
        }
    }

    public PixelAllocatorOptions Options { get; }

    public PixelAllocator Allocator { get; }

    public FakeBlockSource Source => _system.Source;

    public ManualTime Time => _system.Time;

    public ManualMemoryPressure Pressure => _system.Pressure;

    public bool IsDivisible => Options.BlockSource!.IsDivisible;

    public PixelPoolStatistics Statistics => Allocator.GetStatistics();

    /// <summary>Rents blocks that lie side by side.</summary>
    public PixelBuffer<byte> Rent(int blocks, AllocationOptions options = AllocationOptions.None) =>
        Allocator.Rent<byte>(Block, blocks, options | AllocationOptions.Contiguous);

    /// <summary>Rents blocks that lie anywhere.</summary>
    public PixelBuffer<byte> RentAnywhere(int blocks, AllocationOptions options = AllocationOptions.None) =>
        Allocator.Rent<byte>(Block, blocks, options);

    /// <summary>Makes a run idle, filled with a value.</summary>
    public void MakeIdleRun(int blocks, byte value = 0xFF)
    {
        using PixelBuffer<byte> image = Rent(blocks);
        PixelPattern.Fill(image, value);
    }

    /// <summary>Makes blocks idle that do not lie side by side, filled with a value, and returns as many that lie between them.</summary>
    public PixelBuffer<byte>[] MakeScattered(int blocks, byte value = 0xFF)
    {
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 2 * blocks).Select(_ => RentAnywhere(1)).OrderBy(AddressOf)];
        for (int i = 0; i < images.Length; i++)
        {
            PixelPattern.Fill(images[i], i % 2 == 0 ? value : (byte)i);
        }

        foreach (PixelBuffer<byte> image in images.Where(static (_, i) => i % 2 == 0))
        {
            image.Dispose();
        }

        return [.. images.Where(static (_, i) => i % 2 == 1)];
    }

    /// <summary>Checks that nobody wrote to what <see cref="MakeScattered"/> returned, and returns it.</summary>
    public static void VerifyAndReturn(PixelBuffer<byte>[] between)
    {
        for (int i = 0; i < between.Length; i++)
        {
            PixelPattern.AssertEveryByte(between[i], (byte)((2 * i) + 1));
            between[i].Dispose();
        }
    }

    /// <summary>The numbers of blocks are these, in the statistics and for the system, and nothing was done wrong.</summary>
    public PixelPoolStatistics AssertBlocks(int rented, int idle)
    {
        PixelPoolStatistics statistics = Statistics;
        Assert.Equal((rented, idle), (statistics.RentedBytes / (double)Block, statistics.IdleBytes / (double)Block));
        StatisticsAssert.Balanced(statistics);
        if (_kind != MemoryKind.Real)
        {
            Assert.Equal((rented + idle) * Block, Source.LiveBytes);
            Source.AssertNoMisuse();
        }

        return statistics;
    }

    /// <summary>How the rents so far were served.</summary>
    public void AssertRents(int hits, int misses, int assembled, int unpooled = 0)
    {
        PixelPoolStatistics statistics = Statistics;
        Assert.Equal((hits, misses, assembled, unpooled), (statistics.Hits, statistics.Misses, statistics.AssembledRents, statistics.UnpooledRents));
    }

    public static unsafe nint AddressOf(PixelBuffer<byte> image)
    {
        using PinnedPixels pin = image.Pin();
        return (nint)pin.Pointer;
    }

    /// <summary>Fills images that are all rented, each in its own way, and checks that they do not overlap.</summary>
    public static void AssertDisjoint(params PixelBuffer<byte>[] images)
    {
        for (int i = 0; i < images.Length; i++)
        {
            PixelPattern.Fill(images[i], (byte)(i + 1));
        }

        for (int i = 0; i < images.Length; i++)
        {
            PixelPattern.AssertEveryByte(images[i], (byte)(i + 1));
        }
    }

    public void Dispose()
    {
        Allocator.Dispose();
        _system.Dispose();
        if (_kind != MemoryKind.Real && Statistics.RentedBytes == 0)
        {
            Source.AssertAllFreed();
        }
    }
}
