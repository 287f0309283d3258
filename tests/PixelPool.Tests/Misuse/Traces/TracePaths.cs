using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse.Traces;

/// <summary>Ways that memory with pixels takes back to the pool, the wrong ones above all. Each leaves nothing rented.</summary>
internal static class TracePaths
{
    /// <summary>What is written everywhere.</summary>
    public const byte Secret = 0x9E;

    private const int Block = TestSystem.BlockBytes;

    private static readonly Dictionary<string, Action<MisusedAllocator>> s_all = new()
    {
        ["a delegate throws"] = static system =>
        {
            using PixelBuffer<byte> image = Rent(system);
            Assert.Throws<FormatException>(() => image.ProcessPixelRows(static rows =>
            {
                Fill(rows);
                throw new FormatException();
            }));
        },
        ["a delegate writes after it disposed its image"] = static system =>
        {
            PixelBuffer<byte> image = Rent(system);
            image.ProcessPixelRows(rows =>
            {
                image.Dispose();
                Fill(rows);
            });
        },
        ["bands write after one of them disposed the image and threw"] = static system =>
        {
            PixelBuffer<byte> image = Rent(system);
            Assert.Throws<AggregateException>(() => image.ProcessPixelRowsInParallel(rows =>
            {
                image.Dispose();
                Fill(rows);
                throw new FormatException();
            }));
        },
        ["a pin writes after the image is gone"] = static system =>
        {
            PixelBuffer<byte> image = Rent(system);
            using PinnedPixels pin = image.Pin();
            image.Dispose();
            Fill(pin.Address, 40_000);
        },
        ["native code writes after scope and image are gone"] = static system =>
        {
            var scope = new RentScope(system.Allocator);
            NativePixels native = scope.Rent<byte>(200, 200).Pin().GiveToNative();
            scope.Dispose();
            Fill(native.Address, 40_000);
            native.Release();
            native.Release();
        },
        ["a handle writes after its owner is gone"] = static system =>
        {
            IMemoryOwner<byte> owner = system.Allocator.Allocate<byte>(3000);
            MemoryHandle handle = owner.Memory.Pin();
            owner.Dispose();
            Fill(handle, 3000);
            handle.Dispose();
        },
        ["a view is all that is left"] = static system =>
        {
            PixelBuffer<byte> image = Rent(system);
            PixelBuffer<byte> view = image.View(0, 199, 200, 1);
            image.Fill(Secret);
            image.Dispose();
            view.Dispose();
            view.Dispose();
        },
        ["another thread returns it, twice"] = static system =>
        {
            for (int i = 0; i < 20; i++)
            {
                PixelLease<byte> lease = system.Allocator.Lease<byte>(1000, 1 + i);
                lease.Fill(Secret);
                Simultaneously.Run(2, _ => ((IDisposable)lease).Dispose());
            }
        },
        ["it is forgotten"] = static system =>
        {
            Forget(system.Allocator);
            for (int i = 0; i < 50 && system.Statistics.RentedBytes != 0; i++)
            {
                Collector.CollectAll();
            }
        },
        ["it is forgotten with views of it"] = static system =>
        {
            ForgetViews(system.Allocator);
            for (int i = 0; i < 50 && system.Statistics.RentedBytes != 0; i++)
            {
                Collector.CollectAll();
            }
        },
        ["a clone that the budget refuses"] = static system =>
        {
            using RentScope scope = system.Allocator.ReserveScope(4L * MisusedAllocator.CapacityInBlocks * Block);
            PixelBuffer<byte> image = scope.Rent<byte>(1000, 1000);
            image.Fill(Secret);
            Assert.Throws<PixelBudgetExceededException>(() => image.Clone());
        },
        ["rents that the system refuses half-way"] = static system =>
        {
            using (var scope = new RentScope(system.Allocator))
            {
                scope.Rent<byte>(Block, 5).Fill(Secret);
            }

            for (int refused = 1; refused < 6; refused++)
            {
                system.System.Source.FailAt(refused);
                RentAll(system.Allocator, 6 + refused);
                system.System.Source.FailAt(1, long.MaxValue);
                RentAll(system.Allocator, 4);
                system.System.Source.Heal();
            }
        },
        ["blocks become a run, and a run blocks"] = static system =>
        {
            for (int round = 0; round < 3; round++)
            {
                using (var scope = new RentScope(system.Allocator))
                {
                    for (int i = 0; i < 12; i++)
                    {
                        scope.Rent<byte>(Block, 1).Fill(Secret);
                    }
                }

                using (PixelBuffer<byte> run = system.Allocator.Rent<byte>(Block, 9, AllocationOptions.Contiguous))
                {
                    run.Fill(Secret);
                }
            }
        },
        ["a run that cannot be assembled"] = static system =>
        {
            for (int move = 1; move < 4; move++)
            {
                using (var scope = new RentScope(system.Allocator))
                {
                    for (int i = 0; i < 8; i++)
                    {
                        PixelBuffer<byte> block = scope.Rent<byte>(Block, 1);
                        block.Fill(Secret);
                        if (i % 2 == 0)
                        {
                            block.Dispose();
                        }
                    }

                    system.System.Source.FailMoveAt(move);
                    using PixelBuffer<byte> run = system.Allocator.Rent<byte>(Block, 4, AllocationOptions.Contiguous);
                    run.Fill(Secret);
                }

                system.System.Source.Heal();
            }
        },
        ["slabs are emptied, trimmed and cut otherwise"] = static system =>
        {
            foreach (int bytes in (int[])[64, 1000, 300, 4000])
            {
                using (var scope = new RentScope(system.Allocator))
                {
                    for (int i = 0; i < 300; i++)
                    {
                        PixelLease<byte> piece = scope.Lease<byte>(bytes, 1);
                        piece.Fill(Secret);
                        if (i % 3 == 0)
                        {
                            piece.Dispose();
                            system.Allocator.TrimTo(i % 2 * Block);
                        }
                    }
                }
            }
        },
        ["a stream grows, shrinks, lends and is disposed twice"] = static system =>
        {
            var stream = new PixelPoolStream(system.Allocator);
            byte[] bytes = new byte[3000];
            bytes.AsSpan().Fill(Secret);
            for (int i = 0; i < 100; i++)
            {
                stream.Write(bytes, 0, bytes.Length);
            }

            stream.SetLength(5000);
            stream.GetMemory(2 * Block).Span.Fill(Secret);
            stream.Position = Block - 100;
            Memory<byte> lent = stream.GetMemory(3000);
            lent.Span.Fill(Secret);
            stream.Advance(1000);
            stream.Dispose();
            stream.Dispose();
            Assert.Throws<ObjectDisposedException>(() => lent.Span.Length);
        },
        ["a stream ends with its scope"] = static system =>
        {
            var scope = new RentScope(system.Allocator);
            using var stream = new PixelPoolStream(scope);
            stream.GetMemory(2 * Block).Span.Fill(Secret);
            scope.Dispose();
        },
        ["a source that fails in the middle"] = static system =>
        {
            using PixelBuffer<byte> image = Rent(system);
            byte[] bytes = new byte[20_000];
            bytes.AsSpan().Fill(Secret);
            Assert.Throws<EndOfStreamException>(() => image.ReadFrom(new MemoryStream(bytes)));
            Assert.Throws<EndOfStreamException>(() => image.ReadFromAsync(new MemoryStream(bytes)).AsTask().GetAwaiter().GetResult());
        },
        ["planes that end one by one"] = static system =>
        {
            PlanarImage planes = system.Allocator.RentPlanar(PlanarLayout.Yuv420(200, 200));
            foreach (PixelBuffer<byte> plane in planes.Planes)
            {
                plane.Fill(Secret);
                plane.Dispose();
            }

            planes.Dispose();
            planes.Dispose();
        },
        ["a reservation ends before what it paid for"] = static system =>
        {
            PixelBuffer<byte> view;
            using (RentScope scope = system.Allocator.ReserveScope(8 * Block))
            {
                PixelBuffer<byte> image = scope.Rent<byte>(1000, 200);
                image.Fill(Secret);
                view = image.View(0, 0, 1000, 200);
            }

            view.Fill(Secret);
            view.Dispose();
        },
        ["rows with gaps that are written through a pin"] = static system =>
        {
            using PixelBuffer<byte> image = Rent(system);
            using PixelBuffer<byte> view = image.View(0, 0, 3, 200);
            using PinnedPixels pin = view.Pin();
            image.Dispose();
            Fill(pin.Address, 40_000);
        },
        ["objects are freed, cleared and dropped with their allocator"] = static system =>
        {
            foreach (bool checks in (bool[])[false, true])
            {
                using var objects = new FixedBlockAllocator<decimal>(system.Allocator, checks);
                FillObjects(objects, free: true);
                FillObjects(objects, free: false);
                objects.Clear();
                FillObjects(objects, free: false);
            }
        },
        ["a failed clean rent before a trim"] = static system =>
        {
            using (PixelBuffer<byte> image = system.Allocator.Rent<byte>(Block, 5))
            {
                image.Fill(Secret);
            }

            system.System.Source.FailAlways();
            RentAll(system.Allocator, 20);
            system.System.Source.Heal();
        },
        ["casts and clones of all that is rented"] = static system =>
        {
            using PixelBuffer<uint> image = system.Allocator.Rent<uint>(300, 100);
            using PixelBuffer<byte> cast = image.Cast<byte>();
            cast.Fill(Secret);
            image.Dispose();
            cast.Clone().Dispose();
        },
    };

    public static IEnumerable<string> Names => s_all.Keys.Concat(RentedHandles.Names.Select(static name => "returned: " + name)).Concat(RentedHandles.Names.Select(static name => "returned twice: " + name));

    public static void Take(string name, MisusedAllocator system)
    {
        if (s_all.TryGetValue(name, out Action<MisusedAllocator>? take))
        {
            take(system);
            return;
        }

        string[] parts = name.Split(": ");
        RentedHandle first = RentedHandles.Rent(parts[1], system.Allocator);
        RentedHandle second = RentedHandles.Rent(parts[1], system.Allocator);
        first.Fill?.Invoke(Secret);
        second.Fill?.Invoke(Secret);
        first.End();
        if (parts[0] == "returned twice")
        {
            first.End();
            RentedHandle next = RentedHandles.Rent(parts[1], system.Allocator);
            next.Fill?.Invoke(Secret);
            first.End();
            next.End();
        }

        second.End();
    }

    private static PixelBuffer<byte> Rent(MisusedAllocator system) => system.Allocator.Rent<byte>(200, 200);

    private static void RentAll(PixelAllocator allocator, int blocks)
    {
        try
        {
            using PixelBuffer<byte> image = allocator.Rent<byte>(Block, blocks);
            image.Fill(Secret);
        }
        catch (OutOfMemoryException)
        {
            // What was there before goes back.
        }
    }

    private static void Fill(PixelAccessor<byte> rows)
    {
        foreach (Span<byte> row in rows)
        {
            row.Fill(Secret);
        }
    }

    private static unsafe void Fill(nint address, int bytes) => new Span<byte>((void*)address, bytes).Fill(Secret);

    private static unsafe void Fill(MemoryHandle handle, int bytes) => Fill((nint)handle.Pointer, bytes);

    private static unsafe void FillObjects(FixedBlockAllocator<decimal> objects, bool free)
    {
        nint[] items = new nint[10_000];
        for (int i = 0; i < items.Length; i++)
        {
            items[i] = (nint)objects.Allocate();
            Fill(items[i], sizeof(decimal));
        }

        foreach (nint item in items.AsSpan(0, free ? items.Length : 5))
        {
            objects.Free((decimal*)item);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator)
    {
        foreach (string kind in RentedHandles.Names.Where(static name => name.Contains("image", StringComparison.Ordinal) || name.Contains("owner", StringComparison.Ordinal)))
        {
            RentedHandles.Rent(kind, allocator).Fill?.Invoke(Secret);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetViews(PixelAllocator allocator)
    {
        foreach (string kind in RentedHandles.Names.Where(static name => name.Contains("view", StringComparison.Ordinal) || name.Contains("cast", StringComparison.Ordinal)))
        {
            RentedHandles.Rent(kind, allocator).Fill?.Invoke(Secret);
        }
    }
}
