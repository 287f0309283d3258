using System.Buffers;
using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>
/// The system refuses each call of each operation in turn, alone or with all later ones: mapping, moving, advice, protection, unmapping. What is rented is refused, or rented and whole; what is returned
/// is returned; accounts are exact, the next rent works, and in the end nothing stays mapped but what the system refused to unmap.
/// </summary>
[Trait("Category", "Long")]
public sealed class SystemWalkTests
{
    private const int BlockBytes = TestSystem.BlockBytes;
    private const int MostCalls = 2000;

    private static readonly Dictionary<string, Action<PixelAllocator>> s_operations = new()
    {
        ["small"] = static allocator => Use(allocator, 16, 16),
        ["block"] = static allocator => Use(allocator, 256, 200),
        ["blocks"] = static allocator => Use(allocator, 256, 256 * 3),
        ["run"] = static allocator => Use(allocator, 256, 256 * 3, AllocationOptions.Contiguous),
        ["long rows"] = static allocator => Use(allocator, 3 * BlockBytes, 2),
        ["clean"] = static allocator => Use(allocator, 256, 256 * 3, AllocationOptions.Clean),
        ["more than the pool holds"] = static allocator => Use(allocator, 256, 256 * 40),
        ["moved blocks"] = MoveBlocks,
        ["slabs"] = RentSmall,
        ["planes, a stream and an owner"] = RentOthers,
        ["trims between returns"] = TrimBetween,
        ["forgotten"] = Forget,
        ["charges that make room"] = MakeRoom,
        ["objects of one size"] = AllocateObjects,
    };

    public static TheoryData<string, bool, bool> Cases => new MatrixTheoryData<string, bool, bool>([.. s_operations.Keys], [false, true], [false, true]);

    [Theory]
    [MemberData(nameof(Cases))]
    public void Nothing_is_lost_wherever_the_system_refuses(string operation, bool laterToo, bool guarded)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && IntPtr.Size == 8, "the system calls are those of Linux");
        int call = 1;
        for (; call < MostCalls; call++)
        {
            if (!IsRefused(s_operations[operation], call, laterToo, guarded))
            {
                break;
            }
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{call - 1} calls");
        Assert.InRange(call, 2, MostCalls - 1);
    }

    private static bool IsRefused(Action<PixelAllocator> operation, int call, bool laterToo, bool guarded)
    {
        var kernel = new FailingKernel();
        var source = new LinuxBlockSource(kernel);
        PixelAllocator allocator = Create(source, guarded);
        kernel.FailAt(call, laterToo);
        try
        {
            operation(allocator);
        }
        catch (OutOfMemoryException)
        {
        }

        bool refused = kernel.Refused is not null;
        string where = $"call {call}: {kernel.Refused}";
        Settle(allocator, where);
        allocator.Trim();
        Settle(allocator, where);
        kernel.Heal();

        operation(allocator);
        Settle(allocator, where);
        allocator.Dispose();
        Assert.True(allocator.GetStatistics() is { RentedBytes: 0, IdleBytes: 0, ChargedBytes: 0 }, where);

        Assert.True(kernel.Mapped == (0, true), $"{where}: {kernel.Mapped} stays mapped");
        return refused;
    }

    private static void Settle(PixelAllocator allocator, string where)
    {
        if (allocator.GetStatistics().RentedBytes != 0)
        {
            Collector.CollectAll();
        }

        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.True(statistics is { RentedBytes: 0, ChargedBytes: 0 }, $"{where}: {statistics}");
    }

    private static PixelAllocator Create(LinuxBlockSource source, bool guarded) => PixelAllocator.Create(new PixelAllocatorOptions
    {
        BlockBytes = BlockBytes,
        SmallBuffers = SmallBufferStrategy.Slab,
        UnpooledBlockBytes = 2 * BlockBytes,
        MaxPooledBytes = 16 * BlockBytes,
        MaxRentedBytes = 128 * BlockBytes,
        TrimPolicy = TrimPolicy.None,
        GuardedRentSampling = guarded ? 2 : 0,
        BlockSource = source,
        ListensToCollections = false,
        Pause = static _ => { },
    });

    private static void Use(PixelAllocator allocator, int width, int height, AllocationOptions options = AllocationOptions.None)
    {
        using PixelBuffer<byte> image = allocator.Rent<byte>(width, height, options);
        if ((options & AllocationOptions.Clean) != 0)
        {
            image.ProcessPixelRows(static rows =>
            {
                foreach (Span<byte> row in rows)
                {
                    Assert.Equal(-1, row.IndexOfAnyExcept((byte)0));
                }
            });
        }

        image.Fill(0x5A);
    }

    private static void MoveBlocks(PixelAllocator allocator)
    {
        using (var scope = new RentScope(allocator))
        {
            for (int i = 0; i < 6; i++)
            {
                scope.Rent<byte>(256, 200).Fill(1);
            }
        }

        Use(allocator, 256, 256 * 5, AllocationOptions.Contiguous);
        Use(allocator, 256, 256 * 8, AllocationOptions.Contiguous);
    }

    private static void RentSmall(PixelAllocator allocator)
    {
        using var scope = new RentScope(allocator);
        for (int i = 1; i < 120; i += 3)
        {
            scope.Rent<byte>(16, 10 * i).Fill((byte)i);
        }
    }

    private static void RentOthers(PixelAllocator allocator)
    {
        using PlanarImage planes = allocator.RentPlanar(PlanarLayout.Yuv420(300, 200));
        using IMemoryOwner<byte> owner = allocator.Allocate<byte>(100_000);
        using var stream = new PixelPoolStream(allocator);
        byte[] bytes = new byte[10_000];
        for (int i = 0; i < 30; i++)
        {
            stream.Write(bytes, 0, bytes.Length);
        }
    }

    private static void TrimBetween(PixelAllocator allocator)
    {
        using PixelBuffer<byte> first = allocator.Rent<byte>(256, 256 * 2);
        using (allocator.Rent<byte>(256, 256 * 3))
        {
            Use(allocator, 256, 256 * 2, AllocationOptions.Contiguous);
            allocator.Trim();
        }

        allocator.TrimTo(BlockBytes);
        Use(allocator, 256, 256 * 4);
        allocator.Trim();
    }

    // What is idle goes back to the system, until what others hold fits in the budget.
    private static void MakeRoom(PixelAllocator allocator)
    {
        Use(allocator, 256, 256 * 12);
        using IDisposable charge = allocator.ChargeExternal(118 * BlockBytes);
        using PixelBuffer<byte> wrapped = allocator.Wrap<byte>(new byte[8 * BlockBytes], 256, 256 * 8, charge: true);
        wrapped.Fill(1);
    }

    private static unsafe void AllocateObjects(PixelAllocator allocator)
    {
        using var objects = new FixedBlockAllocator<decimal>(allocator);
        for (int i = 0; i < 3 * BlockBytes / sizeof(decimal); i++)
        {
            objects.Allocate();
        }
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator)
    {
#pragma warning disable PXP001 // They are forgotten.
        _ = allocator.Rent<byte>(256, 256 * 2);
        _ = allocator.Rent<byte>(16, 16);
#pragma warning restore PXP001
    }
}
