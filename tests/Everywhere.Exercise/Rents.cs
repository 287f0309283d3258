using System.Buffers;
using System.Runtime.InteropServices;

namespace Everywhere.Exercise;

/// <summary>Every way to rent, and every kind of memory.</summary>
internal static class Rents
{
    // An array or a piece, one block, several blocks, rows that are longer than a block.
    private static readonly (int Width, int Height)[] s_sizes = [(3, 2), (100, 100), (1100, 1000), (2000, 1500), (1_500_000, 2)];

    public static void EachKindOfMemoryKeepsItsPixels()
    {
        foreach (SmallBufferStrategy strategy in new[] { SmallBufferStrategy.ArrayPool, SmallBufferStrategy.Slab, SmallBufferStrategy.None })
        {
            using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { SmallBuffers = strategy, RowAlignmentBytes = 64, MaxPooledBytes = 64 << 20 });
            CheckSizes(allocator, AllocationOptions.None, alignment: 64);
            CheckSizes(allocator, AllocationOptions.Contiguous, alignment: 64);
            Checks.NothingIsLeft(allocator);
        }
    }

    public static void WhatDoesNotFitThePoolIsTakenBesideIt()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = 256 << 10,
            SmallBufferThresholdBytes = 4 << 10,
            UnpooledBlockBytes = 8 << 20,
            MaxPooledBytes = 1 << 20,
            UseHugePages = false,
            PreferContiguousImageBuffers = true,
            Name = "beside",
        });
        CheckSizes(allocator, AllocationOptions.None, alignment: 1);
        Checks.True(allocator.GetStatistics().UnpooledRents > 0, "everything came from the pool");
        Checks.Contains("beside", allocator.ToString());
        Checks.Equal("beside", allocator.Name);
        Checks.NothingIsLeft(allocator);
    }

    public static void EveryWayToRentGivesMemory()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using (PixelBuffer<uint> image = allocator.RentAsync<uint>(1100, 1000).AsTask().GetAwaiter().GetResult())
        {
            CheckImage(image, alignment: 4);
            Checks.Equal((1100, 1000, 4400), (image.Width, image.Height, image.Stride));
            Checks.True(image.HeldBytes > 0 && image.HeldBytes <= allocator.GetHeldBytes<uint>(1100, 1000), "more is held than was said");
        }

        Checks.Equal(true, allocator.TryRent(100, 100, out PixelBuffer<uint>? tried));
        CheckImage(tried!, alignment: 4);
        tried!.Dispose();
        CheckMemory(allocator.Allocate<uint>(300_000));
        Checks.Equal(true, allocator.TryAllocate(1000, out IMemoryOwner<uint>? owner));
        CheckMemory(owner!);
        CheckMemory(allocator.AllocateAsync<uint>(2_000_000).AsTask().GetAwaiter().GetResult());
        CheckMemory(allocator.AllocateStructs<uint>(1000));
        using MemoryPool<byte> pool = allocator.AsMemoryPool();
        using (IMemoryOwner<byte> bytes = pool.Rent(100_000))
        {
            bytes.Memory.Span.Fill(7);
        }

        Checks.NothingIsLeft(allocator);
    }

    public static void CleanMemoryIsClean()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ClearOnReturn = true });
        foreach ((int width, int height) in s_sizes)
        {
            for (int i = 0; i < 2; i++)
            {
                using PixelBuffer<uint> image = allocator.Rent<uint>(width, height, AllocationOptions.Clean);
                Checks.True(image.ProcessPixelRows(IsClear), "clean memory had pixels");
                image.Fill(0xFF00_FF00);
            }
        }

        Checks.NothingIsLeft(allocator);
    }

    public static void TheSharedAllocatorServes()
    {
        using PixelBuffer<uint> image = PixelAllocator.Shared.Rent<uint>(1100, 1000);
        CheckImage(image, alignment: 4);
    }

    public static void ThreadsGetMemoryOfTheirOwn()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { SmallBuffers = SmallBufferStrategy.Slab });
        var failures = new List<Exception>();
        var threads = new Thread[8];
        for (int i = 0; i < threads.Length; i++)
        {
            uint seed = (uint)i << 24;
            threads[i] = new Thread(() =>
            {
                try
                {
                    RentOften(allocator, seed);
                }
#pragma warning disable CA1031 // it is thrown where the threads are awaited
                catch (Exception e)
                {
                    lock (failures)
                    {
                        failures.Add(e);
                    }
                }
#pragma warning restore CA1031
            });
            threads[i].Start();
        }

        foreach (Thread thread in threads)
        {
            thread.Join();
        }

        Checks.True(failures.Count == 0, string.Join(Environment.NewLine, failures));
        Checks.NothingIsLeft(allocator);
    }

    // Each image is checked after others were written to.
    private static void RentOften(PixelAllocator allocator, uint seed)
    {
        for (uint round = 0; round < 40; round++)
        {
            using PixelBuffer<uint> small = allocator.Rent<uint>(60, 70);
            using PixelBuffer<uint> large = allocator.Rent<uint>(512, 600);
            using PixelLease<uint> lease = allocator.Lease<uint>(300, 300);
            using PixelBuffer<uint> leased = lease.AsBuffer();
            Pattern.Write(small, seed + round);
            Pattern.Write(large, seed + round + 1);
            Pattern.Write(leased, seed + round + 2);
            Pattern.Check(small, seed + round);
            Pattern.Check(large, seed + round + 1);
            Pattern.Check(leased, seed + round + 2);
        }
    }

    private static void CheckSizes(PixelAllocator allocator, AllocationOptions options, int alignment)
    {
        foreach ((int width, int height) in s_sizes)
        {
            using PixelBuffer<uint> image = allocator.Rent<uint>(width, height, options);
            Checks.True((options & AllocationOptions.Contiguous) == 0 || (image.IsContiguous && image.BlockCount == 1), $"{image} is in pieces");
            CheckImage(image, alignment);
        }
    }

    private static void CheckImage(PixelBuffer<uint> image, int alignment)
    {
        Pattern.Write(image, 17);
        Pattern.Check(image, 17);
        Pattern.CheckPlaces(image, alignment);
    }

    private static void CheckMemory(IMemoryOwner<uint> owner)
    {
        using (owner)
        {
            Span<uint> values = owner.Memory.Span;
            for (int i = 0; i < values.Length; i++)
            {
                values[i] = (uint)i;
            }

            for (int i = 0; i < values.Length; i++)
            {
                Checks.Equal((uint)i, values[i]);
            }
        }
    }

    private static bool IsClear(PixelAccessor<uint> rows)
    {
        foreach (Span<uint> row in rows)
        {
            if (MemoryMarshal.AsBytes(row).IndexOfAny((byte)0xFF, (byte)0x01) >= 0)
            {
                return false;
            }
        }

        return true;
    }
}
