using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>Managed memory runs out in what nobody called: finalizers, timers, threads of the pool, and code of those who listen.</summary>
[Trait("Category", "Long")]
public sealed class BackgroundWalkTests
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    [Fact]
    public void Leaks_come_back_and_later_ones_are_told() => ChildProcess.Run(WalkLeaks, FullHeap.Environment);

    [Fact]
    public void Trimming_goes_on() => ChildProcess.Run(WalkTrims, FullHeap.Environment);

    [Fact]
    public void Allocators_are_made_or_refused_and_end() => ChildProcess.Run(WalkAllocators, FullHeap.Environment);

    [Fact]
    public void Those_who_listen_lose_no_memory() => ChildProcess.Run(WalkEvents, FullHeap.Environment);

    [Fact]
    public void A_tracker_leaves_nothing_recorded() => ChildProcess.Run(WalkTrackers, FullHeap.Environment);

    private static void WalkTrackers()
    {
        using var walked = new WalkedAllocator();
        PixelAllocator allocator = walked.Allocator;
        new Walk().Forth("tracker", () => new WalkedRound(
            () =>
            {
                using LeakTracker tracker = allocator.TrackLeaks();
            },
            _ =>
            {
                Assert.Equal(int.MaxValue, allocator.Tracking.SampleInterval);
                walked.Check();
            }));
    }

    private static void WalkLeaks()
    {
        var walk = new Walk();
        foreach ((int width, int height) in new[] { (16, 16), (256, 200), (256, 256 * 3) })
        {
            walk.Back($"leak of {width} x {height}", () =>
            {
                var walked = new WalkedAllocator(static options =>
                {
                    options.MaxRentedBytes = 16 * WalkedAllocator.BlockBytes;
                    options.LeakTracking = LeakTracking.Full;
                });
                var kept = new StrongBox<object?>();
                int told = 0;
                walked.Allocator.Leaked += (_, _) => Interlocked.Increment(ref told);
                Forget(kept, walked.Allocator, width, height);
                var finalizers = new FinalizerRounds();
                return new WalkedRound(
                    () =>
                    {
                        kept.Value = null;
                        finalizers.Run();
                    },
                    _ =>
                    {
                        walked.Check(leaks: 1);

                        // Whatever was not told of that one: the next one is.
                        int before = Volatile.Read(ref told);
                        Forget(kept, walked.Allocator, width, height);
                        kept.Value = null;
                        Collector.CollectAll();
                        Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref told) > before || Unhandled.MayHaveLostWork, s_limit));
                        walked.Check(leaks: 1);
                        walked.Dispose();
                    });
            });
        }
    }

    private static void WalkTrims()
    {
        var walk = new Walk();
        foreach (SmallBufferStrategy small in new[] { SmallBufferStrategy.ArrayPool, SmallBufferStrategy.Slab })
        {
            using var walked = new WalkedAllocator(options =>
            {
                options.SmallBuffers = small;
                options.ListensToCollections = false;
            });
            walk.Back($"trim with {small}", () =>
            {
                UseAlone(walked.Allocator);
                return new WalkedRound(() => walked.Allocator.Trim(), _ => CheckTrimmed(walked));
            });
            walk.Back($"timer with {small}", () =>
            {
                UseAlone(walked.Allocator);
                return new WalkedRound(
                    () =>
                    {
                        // Demand trims after some periods.
                        for (int i = 0; i < 20; i++)
                        {
                            walked.Time.Advance(TimeSpan.FromSeconds(5));
                        }
                    },
                    _ => CheckTrimmed(walked));
            });
            walk.Back($"end of a thread with {small}", () =>
            {
                var thread = new Thread(() => Use(walked.Allocator));
                thread.Start();
                thread.Join();
                var finalizers = new FinalizerRounds();
                return new WalkedRound(finalizers.Run, _ => walked.Check());
            });
        }
    }

    private static void WalkAllocators()
    {
        var walk = new Walk();
        walk.Forth("allocator", () =>
        {
            WalkedAllocator? made = null;
            return new WalkedRound(
                () => made = new WalkedAllocator(),
                _ =>
                {
                    made?.Check();
                    made?.Dispose();

                    // What failed is finalized.
                    Collector.CollectAll();
                });
        });
        walk.Back("disposed allocator", () =>
        {
            var made = new WalkedAllocator();
            Use(made.Allocator);
            return new WalkedRound(made.Dispose, _ => Assert.Equal(0, made.Allocator.GetStatistics().IdleBytes));
        });
        walk.Back("forgotten allocator", () =>
        {
            var kept = new StrongBox<object?>();
            Forget(kept);
            var finalizers = new FinalizerRounds();
            return new WalkedRound(
                () =>
                {
                    kept.Value = null;
                    finalizers.Run();
                },
                static _ => Collector.CollectAll());
        });
    }

    private static void WalkEvents()
    {
        var walk = new Walk();
        using var walked = new WalkedAllocator();
        using var listener = new Listener();
        walk.BothWays(walked, "small", () => walked.Allocator.Rent<byte>(16, 16));
        walk.BothWays(walked, "unpooled", () => walked.Allocator.Rent<byte>(256, 256 * 20));
        walk.Back("trim", () =>
        {
            UseAlone(walked.Allocator);
            return new WalkedRound(() => walked.Allocator.Trim(), _ => CheckTrimmed(walked));
        });
    }

    private static void CheckTrimmed(WalkedAllocator walked)
    {
        Assert.Equal(0, walked.Allocator.GetStatistics().IdleBytes);
        walked.Check();
    }

    // What threads of earlier rounds kept comes back before: a finalizer that brings it during a trim may come too late for that.
    private static void UseAlone(PixelAllocator allocator)
    {
        Collector.CollectAll();
        Use(allocator);
    }

    // Often, so that the thread gets a cache.
    private static void Use(PixelAllocator allocator)
    {
        for (int i = 0; i < 200; i++)
        {
            using PixelBuffer<byte> small = allocator.Rent<byte>(16, 16);
            using PixelBuffer<byte> block = allocator.Rent<byte>(256, 200);
        }

        using PixelBuffer<byte> blocks = allocator.Rent<byte>(256, 256 * 3);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(StrongBox<object?> kept, PixelAllocator allocator, int width, int height) => kept.Value = allocator.Rent<byte>(width, height);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(StrongBox<object?> kept)
    {
        var walked = new WalkedAllocator();
        Use(walked.Allocator);
        kept.Value = walked;
    }

    private sealed class Listener : EventListener
    {
        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "PixelPool")
            {
                EnableEvents(eventSource, EventLevel.Verbose, EventKeywords.All);
            }
        }
    }
}
