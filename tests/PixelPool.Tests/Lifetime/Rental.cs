using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>
/// An allocator of small blocks on a fake system, and an image size that one of its tiers serves. The next rent gets the memory that came back last, so
/// that memory which comes back too early, or twice, is noticed.
/// </summary>
internal sealed class Rental : IDisposable
{
    public const int BlockBytes = 64 << 10;
    public const int CapacityBlocks = 24;

    private const int SmallBytes = 16 << 10;

    public Rental(RentKind kind, bool keepsIdleArrays = true)
    {
        Kind = kind;
        Arrays = new RecyclingArrayPool { KeepsIdle = keepsIdleArrays };
        Allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = BlockBytes,
            SmallBufferThresholdBytes = SmallBytes,
            SmallBuffers = kind == RentKind.Slab ? SmallBufferStrategy.Slab : SmallBufferStrategy.ArrayPool,
            ArrayPool = Arrays,
            UnpooledBlockBytes = BlockBytes,
            MaxPooledBytes = CapacityBlocks * BlockBytes,
            TrimPolicy = TrimPolicy.None,
            BlockSource = Source,
            Name = kind.ToString(),
        });
    }

    public static IEnumerable<RentKind> Kinds => Enum.GetValues<RentKind>();

    public RentKind Kind { get; }

    public PixelAllocator Allocator { get; }

    public FakeBlockSource Source { get; } = new();

    public RecyclingArrayPool Arrays { get; }

    /// <summary>True when returned memory stays in the pool.</summary>
    public bool IsPooled => Kind is RentKind.Slab or RentKind.OneBlock or RentKind.ManyBlocks or RentKind.Contiguous or RentKind.LongRow;

    /// <summary>True when one image is one piece, which can be pinned.</summary>
    public bool IsContiguous => Kind is not (RentKind.ManyBlocks or RentKind.UnpooledPieces);

    /// <summary>Bytes that one image holds.</summary>
    public long HeldBytes => Kind switch
    {
        RentKind.Array => 32 * 20 * 4,
        RentKind.Slab => 3072, // the smallest piece for 32 × 20 pixels
        RentKind.OneBlock => BlockBytes,
        RentKind.ManyBlocks => 4 * BlockBytes,
        RentKind.UnpooledPieces => (CapacityBlocks + 4) * BlockBytes,
        RentKind.Contiguous => 4 * BlockBytes,
        RentKind.LongRow => 8 * BlockBytes,
        _ => throw new ArgumentOutOfRangeException(nameof(Kind), Kind, null),
    };

    public PixelPoolStatistics Statistics => Allocator.GetStatistics();

    public PixelBuffer<uint> Rent() => Kind switch
    {
        RentKind.Array or RentKind.Slab => Allocator.Rent<uint>(32, 20),
        RentKind.OneBlock => Allocator.Rent<uint>(100, 100),
        RentKind.ManyBlocks => Allocator.Rent<uint>(128, 500),
        RentKind.UnpooledPieces => Allocator.Rent<uint>(256, 64 * (CapacityBlocks + 4)),
        RentKind.Contiguous => Allocator.Rent<uint>(128, 500, AllocationOptions.Contiguous),
        RentKind.LongRow => Allocator.Rent<uint>(BlockBytes / 2, 4),
        _ => throw new ArgumentOutOfRangeException(nameof(Kind), Kind, null),
    };

    /// <summary>Runs a test for every kind; says which one failed.</summary>
    public static void ForEachKind(Action<RentKind> test)
    {
        foreach (RentKind kind in Kinds)
        {
            try
            {
                test(kind);
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"{kind}: {e.Message}", e);
            }
        }
    }

    /// <summary>Checks that nothing is rented, that what is idle is all that lives, and that no block is idle twice.</summary>
    public void AssertNothingRented()
    {
        PixelPoolStatistics statistics = Statistics;
        StatisticsAssert.Balanced(statistics);
        Assert.Equal(0, statistics.RentedBytes);
        Assert.Equal(statistics.IdleBytes, Source.LiveBytes);
        Assert.Equal(0, Arrays.RentedCount);
        Source.AssertNoMisuse();
        AssertIdleBlocksAreDistinct();
    }

    public void Dispose()
    {
        Allocator.Dispose();
        Source.AssertNoMisuse();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AssertIdleBlocksAreDistinct()
    {
        using var scope = new RentScope(Allocator);
        var addresses = new HashSet<nint>();
        for (int i = 0; i < CapacityBlocks; i++)
        {
            PixelBuffer<uint> block = scope.Rent<uint>(BlockBytes / 4, 1);
            Assert.True(addresses.Add(AddressOf(block)), "a block is rented twice");
        }
    }

    /// <summary>Where the first row of an image is now.</summary>
    public static unsafe nint AddressOf(PixelBuffer<uint> buffer)
    {
        nint address = 0;
        buffer.ProcessPixelRows(rows =>
        {
            fixed (uint* row = rows.GetRowSpan(0))
            {
                address = (nint)row;
            }
        });
        return address;
    }
}
