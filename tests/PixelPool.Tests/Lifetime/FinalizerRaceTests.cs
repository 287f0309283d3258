using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>
/// A finalizer that posts its image to another thread, which disposes it at the very moment the image's guard is finalized: one of the two returns the
/// memory, never both.
/// </summary>
[Trait("Category", "Long")]
public class FinalizerRaceTests
{
    private const int Rounds = 30;
    private const int PerRound = 2000;
    private const int Meetings = 300_000;

    [Fact]
    public void Dispose_beside_the_finalizer_of_the_guard_returns_once() => ChildProcess.Run(Race);

    [Fact]
    public void Finalizer_beside_a_release_returns_once() => ChildProcess.Run(CallFinalizerBesideRelease);

    // The finalizer is called by hand, so that the two meet often: tens of thousands of times.
    private static void CallFinalizerBesideRelease()
    {
        var source = new FakeBlockSource();
        using var pool = new UniformUnmanagedMemoryPool(new PixelAllocatorOptions
        {
            BlockBytes = Rental.BlockBytes,
            SmallBufferThresholdBytes = 0,
            TrimPolicy = TrimPolicy.None,
            BlockSource = source,
        });
        MethodInfo finalizer = typeof(LifetimeGuard).GetMethod("Finalize", BindingFlags.Instance | BindingFlags.NonPublic)!;
        var meeting = new SpinMeeting();
        LifetimeGuard guard = null!;
        int meetings = 0;
        Simultaneously.Run(2, thread =>
        {
            bool again = true;
            for (int i = 0; i < Meetings && again; i++)
            {
                if (thread == 0)
                {
                    guard = pool.RentGuarded();
                }

                meeting.Wait(thread);
                uint version = guard.Version;
                Action finalize = finalizer.CreateDelegate<Action>(guard);
                meeting.Wait(thread);
                if (thread == 0)
                {
                    finalize();
                }
                else
                {
                    guard.TryRelease(version);
                }

                again = meeting.WaitAndGoOn(thread);
                meetings = i + 1;
            }
        });

        PixelPoolStatistics after = pool.GetStatistics();
        Assert.Equal(0, after.RentedBytes);
        Assert.Equal(source.LiveBytes, after.IdleBytes);
        Assert.InRange(after.IdleBytes, Rental.BlockBytes, 2 * Rental.BlockBytes);
        Console.WriteLine($"the finalizer was first {after.LeakedCount} times of {meetings}");
    }

    private static void Race()
    {
        var failures = new ConcurrentQueue<Exception>();
        using var disposer = new DisposingThread();
        for (int round = 0; round < Rounds; round++)
        {
            using var rental = new Rental(RentKind.Array);
            Leak(rental, disposer, failures, round);
            Collector.CollectAll();
            disposer.AwaitAll();
            Collector.CollectAll();
            Assert.Empty(failures);
            rental.AssertNothingRented();
            UseEveryGuardAgain(rental);
        }
    }

    // Owner and guard are neighbours in the queue of the finalizer thread, in both orders.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Leak(Rental rental, DisposingThread disposer, ConcurrentQueue<Exception> failures, int round)
    {
        for (int i = 0; i < PerRound; i++)
        {
            PixelBuffer<uint>? image = round % 2 == 0 ? rental.Rent() : null;
            var owner = new ImageOwner(disposer.HandOver, failures);
            owner.Image = image ?? rental.Rent();
        }
    }

    // A guard in two rents would give one of them the array of the other.
    private static void UseEveryGuardAgain(Rental rental)
    {
        using var scope = new RentScope(rental.Allocator);
        PixelBuffer<uint>[] images = [.. Enumerable.Range(0, PerRound).Select(_ => scope.Rent<uint>(1, 1))];
        for (int i = 0; i < images.Length; i++)
        {
            images[i][0, 0] = (uint)i;
        }

        for (int i = 0; i < images.Length; i++)
        {
            Assert.Equal((uint)i, images[i][0, 0]);
        }
    }
}
