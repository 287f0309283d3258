using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>Managed memory runs out at each allocation of a wait for budget: nothing stays charged, nobody stays in line, and who waits learns how it ended.</summary>
[Trait("Category", "Long")]
public sealed class WaitWalkTests
{
    // One block fits, and not a second one.
    private const long BudgetBytes = WalkedAllocator.BlockBytes + (WalkedAllocator.BlockBytes / 2);

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    [Fact]
    public void Nothing_stays_charged_after_waits_that_block() => ChildProcess.Run(WalkBlocked, FullHeap.Environment);

#if LIBRARY_NETSTANDARD
    [Fact(Skip = "In that build the thread pool allocates for what it is handed: who returns memory tries until there is some.")]
#else
    [Fact]
#endif
    public void Nothing_stays_charged_after_waits_that_are_awaited() => ChildProcess.Run(WalkAwaited, FullHeap.Environment);

    private static void WalkBlocked()
    {
        var walk = new Walk();
        using var walked = new WalkedAllocator(static options =>
        {
            options.MaxRentedBytes = BudgetBytes;
            options.RentTimeout = Timeout.InfiniteTimeSpan;
        });
        PixelAllocator allocator = walked.Allocator;
        walk.Forth("blocked wait", () =>
        {
            PixelBuffer<byte> holder = RentBlock(allocator);
            PixelBuffer<byte>? second = null;
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
                        second = RentBlock(allocator);
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
        WalkAwaited("image of a scope", static (allocator, token) => new RentScope(allocator).RentAsync<byte>(256, 200, cancellationToken: token));

        void WalkAwaited<T>(string name, Func<PixelAllocator, CancellationToken, ValueTask<T>> rent)
            where T : IDisposable
        {
            // As a whole: where it is refused must not matter.
            walk.Forth($"{name} that is granted", () => Round(rent, static (holder, _) => holder.Dispose()));
            walk.Forth($"{name} that is cancelled", () => Round(rent, static (_, cancellation) => cancellation.Cancel()));
        }

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
