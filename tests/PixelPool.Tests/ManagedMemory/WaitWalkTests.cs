using System.Runtime.CompilerServices;
using PixelPool.FixedBlocks;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>Managed memory runs out at each allocation of a wait for budget: nothing stays charged, nobody stays in line, and who waits learns how it ended.</summary>
[Trait("Category", "Long")]
public sealed class WaitWalkTests
{
    // One block fits, and not a second one.
    private const long BudgetBytes = WalkedAllocator.BlockBytes + (WalkedAllocator.BlockBytes / 2);

    // An array of so many is no large object.
    private const int PieceBytes = 2048;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);
    private static readonly PlanarLayout s_planes = PlanarLayout.Yuv420(256, 150);

    [Fact]
    public void Nothing_stays_charged_after_waits_that_block() => ChildProcess.Run(WalkBlocked, FullHeap.Environment);

#if LIBRARY_NETSTANDARD
    [Fact(Skip = "In that build the thread pool allocates for what it is handed: who returns memory tries until there is some.")]
#else
    [Fact]
#endif
    public void Nothing_stays_charged_after_waits_that_are_awaited() => ChildProcess.Run(WalkAwaited, FullHeap.Environment);

    [Fact]
    public void An_object_that_is_freed_wakes_who_waits_for_a_block() => ChildProcess.Run(WalkFrees, FullHeap.Environment);

    private static unsafe void WalkFrees()
    {
        var walk = new Walk();
        using var walked = new WalkedAllocator(static options =>
        {
            options.MaxRentedBytes = BudgetBytes;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        walk.Back("object whose thread waits for a block", () =>
        {
            var objects = new FixedBlockAllocator<decimal>(walked.Allocator);
            int perBlock = new PieceLayout(sizeof(decimal), WalkedAllocator.BlockBytes).Capacity;
            nint[] items = new nint[perBlock + 2];
            int count = 0;
            var owner = new Thread(() =>
            {
                try
                {
                    for (; count < items.Length; Volatile.Write(ref count, count + 1))
                    {
                        items[count] = (nint)objects.Allocate();
                    }
                }
                catch (OutOfMemoryException)
                {
                    // It woke, and has no memory to go on.
                }
            });
            owner.Start();

            // This thread has a heap then.
            AwaitWait();
            objects.Free((decimal*)items[0]);
            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref count) == perBlock + 1, s_limit));
            AwaitWait();
            return new WalkedRound(
                () => objects.Free((decimal*)items[1]),
                _ =>
                {
                    Assert.True(owner.Join(s_limit), "it waits although an object is free");
                    objects.Dispose();
                    walked.Check();
                });

            void AwaitWait() => Assert.True(SpinWait.SpinUntil(() => walked.Allocator.GetStatistics().WaitingRents == 1, s_limit));
        });
    }

    private static void WalkBlocked()
    {
        var walk = new Walk();
        using var walked = new WalkedAllocator(static options =>
        {
            options.MaxRentedBytes = BudgetBytes + (2 * WalkedAllocator.BlockBytes);
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        WalkWait("blocked wait", static allocator => RentBlock(allocator));
        WalkWait("memory that a stream lends after a wait", static allocator =>
        {
            var stream = new PixelPoolStream(allocator);
            try
            {
                // Of two blocks: the one before it, and its own.
                stream.Position = WalkedAllocator.BlockBytes - 10;
                stream.GetMemory(100);
                return stream;
            }
            catch
            {
                stream.Dispose();
                throw;
            }
        });

        void WalkWait(string name, Func<PixelAllocator, IDisposable> rent) => walk.Forth(name, () =>
        {
            PixelAllocator allocator = walked.Allocator;
            PixelBuffer<byte> holder = allocator.Rent<byte>(256, 600);
            IDisposable? second = null;
            bool isOver = false;
            var returning = new Thread(() =>
            {
                var wait = default(SpinWait);
                while (allocator.GetStatistics().WaitingRents == 0 && !Volatile.Read(ref isOver))
                {
                    wait.SpinOnce();
                }

                holder.Dispose();
            });
            returning.Start();
            return new WalkedRound(
                () =>
                {
                    try
                    {
                        second = rent(allocator);
                    }
                    finally
                    {
                        Volatile.Write(ref isOver, true);
                    }
                },
                refused =>
                {
                    returning.Join();
                    second?.Dispose();
                    walked.Check(refused);
                });
        });
    }

    private static void WalkAwaited()
    {
        var walk = new Walk();
        WalkAwaited("image", static (allocator, token) => allocator.RentAsync<byte>(256, 200, cancellationToken: token));
        WalkAwaited("lease", static (allocator, token) => allocator.LeaseAsync<byte>(256, 200, cancellationToken: token));
        WalkAwaited("owner", static (allocator, token) => allocator.AllocateAsync<byte>(50_000, cancellationToken: token));
        WalkAwaited("reservation", static (allocator, token) => allocator.ReserveScopeAsync(50_000, token));
        WalkAwaited("lease of planes", static (allocator, token) => allocator.LeasePlanarAsync(s_planes, cancellationToken: token));
        WalkAwaited("planes of a scope", static (allocator, token) => new RentScope(allocator).RentPlanarAsync(s_planes, cancellationToken: token));
        WalkAwaited("image of a scope", static (allocator, token) => new RentScope(allocator).RentAsync<byte>(256, 200, cancellationToken: token));

        void WalkAwaited<T>(string name, Func<PixelAllocator, CancellationToken, ValueTask<T>> rent)
            where T : IDisposable
        {
            // As a whole: where it is refused must not matter.
            walk.Forth($"{name} that is granted", () => Round(rent, static (holder, _) => holder.Dispose()));
            walk.Forth($"{name} that is cancelled", () => Round(rent, static (_, cancellation) => cancellation.Cancel()));
        }

        walk.Forth("image that a piece serves", () =>
        {
            var walked = new WalkedAllocator(static options =>
            {
                options.SmallBuffers = SmallBufferStrategy.Slab;
                options.SmallBufferThresholdBytes = PieceBytes;
                options.MaxRentedBytes = 2 * WalkedAllocator.BlockBytes;
            });
            PixelBuffer<byte>[] holders =
                [RentBlock(walked.Allocator), .. Enumerable.Range(0, WalkedAllocator.BlockBytes / PieceBytes).Select(_ => walked.Allocator.Rent<byte>(PieceBytes, 1))];
            var awaited = new Awaited<PixelBuffer<byte>>();
            return new WalkedRound(
                () =>
                {
                    awaited.Begin(walked.Allocator.RentAsync<byte>(PieceBytes, 1));
                    holders[1].Dispose();
                },
                refused =>
                {
                    Array.ForEach(holders, static holder => holder.Dispose());
                    if (awaited.TryEnd())
                    {
                        walked.Check(refused || awaited.WasRefused);
                        walked.Dispose();
                    }
                });
        });

        WalkedRound Round<T>(Func<PixelAllocator, CancellationToken, ValueTask<T>> rent, Action<PixelBuffer<byte>, CancellationTokenSource> end)
            where T : IDisposable
        {
            var walked = new WalkedAllocator(static options => options.MaxRentedBytes = BudgetBytes);
            PixelBuffer<byte> holder = RentBlock(walked.Allocator);
            var awaited = new Awaited<T>();
            var cancellation = new CancellationTokenSource();
            return new WalkedRound(
                () =>
                {
                    awaited.Begin(rent(walked.Allocator, cancellation.Token));
                    end(holder, cancellation);
                },
                refused =>
                {
                    holder.Dispose();
                    if (awaited.TryEnd())
                    {
                        walked.Check(refused || awaited.WasRefused);
                        walked.Dispose();
                    }
                });
        }
    }

    private static PixelBuffer<byte> RentBlock(PixelAllocator allocator) => allocator.Rent<byte>(256, 200);

    // Awaits without memory: what an application's asynchronous methods need is not looked at here.
    private sealed class Awaited<T>
        where T : IDisposable
    {
        private static readonly Action s_nothing = static () => { };

        private ValueTaskAwaiter<T> _awaiter;
        private bool _hasBegun;

        public bool WasRefused { get; private set; }

        public void Begin(ValueTask<T> rent)
        {
            _awaiter = rent.GetAwaiter();
            _hasBegun = true;
            _awaiter.UnsafeOnCompleted(s_nothing);
        }

        /// <returns>False when the thread pool lost what it had to do.</returns>
        public bool TryEnd()
        {
            if (!_hasBegun)
            {
                return true;
            }

            // Its end was not heard if there was no memory to listen.
            Assert.True(SpinWait.SpinUntil(() => _awaiter.IsCompleted || Unhandled.MayHaveLostWork, s_limit), "it waits forever");
            if (!_awaiter.IsCompleted)
            {
                return false;
            }

            try
            {
                _awaiter.GetResult().Dispose();
            }
            catch (Exception e) when (e is OutOfMemoryException or OperationCanceledException)
            {
                WasRefused = true;
            }

            return true;
        }
    }
}
