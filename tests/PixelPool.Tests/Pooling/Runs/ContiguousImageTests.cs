using System.Buffers;
using System.Runtime.InteropServices;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Pooling.Runs;

/// <summary>Images, leases and allocations of many blocks, in one piece.</summary>
public unsafe class ContiguousImageTests
{
    public static TheoryData<MemoryKind> Kinds => RunSystem.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Preferred_images_of_any_size_are_one_piece_that_can_be_pinned(MemoryKind kind)
    {
        using var system = new RunSystem(kind, configure: static options => options.PreferContiguousImageBuffers = true);
        foreach (double blocks in (double[])[0.01, 0.5, 1, 1.1, 1.9, 2, 2.1, 3.5, 5, 7.7, 9, 17.3, 25, 33.3, 40])
        {
            int height = Math.Max(1, (int)(blocks * RunSystem.Block / 400));
            using PixelBuffer<Rgb24> image = system.Allocator.Rent<Rgb24>(133, height);
            Assert.True(image.IsContiguous);
            Assert.Equal(1, image.BlockCount);
            PixelPattern.Write(image);
            PixelPattern.AssertHolds(image);
            using PinnedPixels pin = image.Pin();
            Rgb24[] expected = PixelPattern.Expected<Rgb24>(133, height);
            for (int y = 0; y < height; y++)
            {
                PixelPattern.AssertSame<Rgb24>(expected.AsSpan(y * 133, 133), new Span<Rgb24>((byte*)pin.Pointer + ((long)y * pin.Stride), 133), y);
            }
        }

        Assert.Equal(0, system.Statistics.UnpooledRents);
        TierSizes.AssertQuiet(system.Allocator);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Without_the_preference_large_images_are_not_one_piece(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        using PixelBuffer<byte> image = system.RentAnywhere(3);
        Assert.Equal(3, image.BlockCount);
        using PixelBuffer<byte> longRow = system.Allocator.Rent<byte>(RunSystem.Block + 1, 2);
        Assert.Equal(1, longRow.BlockCount);
        Assert.Equal(0, system.Statistics.UnpooledRents);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Aligned_rows_of_runs_are_aligned(MemoryKind kind)
    {
        using var system = new RunSystem(kind, configure: static options => options.RowAlignmentBytes = 4096);
        PixelBuffer<byte>[] between = system.MakeScattered(7);
        using (PixelBuffer<byte> image = system.Allocator.Rent<byte>(5000, 70, AllocationOptions.Contiguous))
        using (PinnedPixels pin = image.Pin())
        {
            Assert.Equal(8192, pin.Stride);
            Assert.Equal(0, (nint)pin.Pointer % 4096);
            PixelPattern.Write(image);
            PixelPattern.AssertHolds(image);
        }

        RunSystem.VerifyAndReturn(between);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Allocations_over_a_block_are_pooled(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        for (int i = 0; i < 4; i++)
        {
            using (IMemoryOwner<ulong> owner = system.Allocator.Allocate<ulong>(70_000))
            {
                Span<ulong> span = owner.Memory.Span;
                Assert.Equal(70_000, span.Length);
                for (int k = 0; k < span.Length; k += 511)
                {
                    span[k] = (ulong)k * 7;
                }

                using MemoryHandle pin = owner.Memory.Pin();
                for (int k = 0; k < span.Length; k += 511)
                {
                    Assert.Equal((ulong)k * 7, ((ulong*)pin.Pointer)[k]);
                }
            }

            using IMemoryOwner<ulong> clean = system.Allocator.Allocate<ulong>(70_000, AllocationOptions.Clean);
            Assert.False(clean.Memory.Span.ContainsAnyExcept(0ul));
        }

        system.AssertRents(hits: 7, misses: 1, assembled: 0);
        int held = (int)(system.Statistics.IdleBytes / RunSystem.Block);
        Assert.InRange(held, 9, 12);
        system.AssertBlocks(rented: 0, idle: held);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Leases_are_contiguous_too(MemoryKind kind)
    {
        using var system = new RunSystem(kind);
        for (int i = 0; i < 3; i++)
        {
            using PixelLease<uint> lease = system.Allocator.Lease<uint>(300, 500, AllocationOptions.Contiguous | AllocationOptions.Clean);
            Assert.True(lease.IsContiguous);
            Assert.Equal((300, 500, 1), (lease.Width, lease.Height, lease.BlockCount));
            lease.ProcessPixelRows(static rows =>
            {
                for (int y = 0; y < rows.Height; y++)
                {
                    Assert.False(rows.GetRowSpan(y).ContainsAnyExcept(0u));
                    rows.GetRowSpan(y).Fill((uint)y + 1);
                }

                fixed (uint* first = rows.GetRowSpan(0))
                {
                    Assert.Equal(500u, MemoryMarshal.CreateSpan(ref *first, 300 * 500)[^1]);
                }
            });
        }

        system.AssertRents(hits: 2, misses: 1, assembled: 0);
        TierSizes.AssertQuiet(system.Allocator);
    }
}
