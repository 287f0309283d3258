using System.Runtime.CompilerServices;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Leases;

namespace PixelPool.Tests.Accessors;

/// <summary>
/// Accessors know where the rows lie also when the collector moves, or would free, the objects behind them while a delegate runs. In child processes:
/// with an empty heap collections are fast.
/// </summary>
public class MovingObjectsTests
{
    [Fact]
    public void Buffer_moves() => ChildProcess.Run(MoveBuffers);

    [Fact]
    public void Lease_moves() => ChildProcess.Run(MoveLeases);

    [Fact]
    public void Nothing_else_holds_the_image() => ChildProcess.Run(ForgetImages);

    private static void MoveBuffers() => TierSizes.ForEach(static tier =>
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<uint> buffer = TierSizes.Rent<uint>(allocator, tier);
        buffer.ProcessPixelRows(AssertRowsStay);
        buffer.ProcessPixelRows(buffer, static (rows, same) =>
        {
            AssertRowsStay(rows);
            AssertRowsStay(same);
        });
        buffer.ProcessPixelRowsInParallel(AssertRowsStay, maxDegreeOfParallelism: 2);
        using PixelBuffer<uint> view = buffer.View(1, 1, 7, buffer.Height - 1);
        view.ProcessPixelRows(AssertRowsStay);
    });

    private static void MoveLeases() => TierSizes.ForEach(static tier =>
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        var holder = new StrongBox<PixelLease<uint>>(allocator.Lease<uint>(tier));
        holder.Value.ProcessPixelRows(AssertRowsStay);
        holder.Value.ProcessPixelRows(1, static (rows, _) => AssertRowsStay(rows));
        holder.Value.Dispose();
    });

    private static void ForgetImages() => TierSizes.ForEach(static tier =>
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        Forget(allocator, tier);
        Assert.InRange(allocator.GetStatistics().LeakedCount, 0, 3);
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator, MemoryTier tier)
    {
        TierSizes.Rent<uint>(allocator, tier).ProcessPixelRows(AssertRowsStay);
        TierSizes.Rent<uint>(allocator, tier).View(0, 0, 5, 3).ProcessPixelRows(AssertRowsStay);
        allocator.Lease<uint>(tier).ProcessPixelRows(AssertRowsStay);
    }

    private static void AssertRowsStay(PixelAccessor<uint> rows)
    {
        (int, int, int) before = (rows.Width, rows.Height, rows.FirstRow);
        for (int y = 0; y < rows.Height; y++)
        {
            rows.GetRowSpan(y).Fill((uint)(rows.FirstRow + y));
        }

        MoveEverything();
        Assert.Equal(before, (rows.Width, rows.Height, rows.FirstRow));
        int at = rows.FirstRow;
        foreach (Span<uint> row in rows)
        {
            Assert.Equal(rows.Width, row.Length);
            Assert.Equal(-1, row.IndexOfAnyExcept((uint)at++));
        }

        Assert.Equal(rows.FirstRow + rows.Height, at);
    }

    // Compacts every generation, and runs the finalizers of what it finds unreachable.
    private static void MoveEverything()
    {
        for (int i = 0; i < 2; i++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
        }
    }
}
