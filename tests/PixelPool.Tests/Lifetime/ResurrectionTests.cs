using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>
/// Finalizers of users that dispose, use or hand over an image while the image's own guard is being finalized, too. Whatever comes first, the memory
/// goes back once, and no guard is parked whose finalizer is still to come.
/// </summary>
[Trait("Category", "Long")]
public class ResurrectionTests
{
    private const int Rounds = 5;
    private const int PerRound = 8;

    public static TheoryData<string> Runtimes => LeakTests.Runtimes;

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Finalizer_disposes_its_image(string runtime) => Run(DisposeInFinalizer, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Finalizer_uses_its_image(string runtime) => Run(UseInFinalizer, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Finalizer_resurrects_its_image(string runtime) => Run(ResurrectInFinalizer, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Finalizer_hands_its_image_to_a_thread_that_disposes_it(string runtime) => Run(DisposeOnOtherThread, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Guard_is_not_parked_while_its_finalizer_is_due(string runtime) => Run(ReleaseDueGuards, runtime);

    [Fact]
    public void Finalizer_rents_from_an_allocator_that_is_finalized_with_it() => ChildProcess.Run(RentInFinalizer);

    private static void Run(Action body, string runtime) =>
        ChildProcess.Run(body, runtime.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static void DisposeInFinalizer() => CheckFinalizers(static image => image.Dispose());

    private static void UseInFinalizer() => CheckFinalizers(static image =>
    {
        try
        {
            image.Fill(5);
            using PixelBuffer<uint> view = image.View(0, 0, 1, 1);
            Assert.Equal(5u, view[0, 0]);
        }
        catch (ObjectDisposedException)
        {
            // Its guard was finalized before: a clean refusal.
        }
    });

    private static void ResurrectInFinalizer()
    {
        var survivors = new ConcurrentQueue<PixelBuffer<uint>>();
        CheckFinalizers(survivors.Enqueue, rental =>
        {
            // Stale, when their guard was finalized with them; whole, when only the owner was collected. What is done to them does nothing to other rents.
            using var scope = new RentScope(rental.Allocator);
            PixelBuffer<uint>[] others = [.. Enumerable.Range(0, 2).Select(_ => scope.Rent<uint>(100, 100, AllocationOptions.Clean))];
            foreach (PixelBuffer<uint> survivor in survivors)
            {
                try
                {
                    Assert.Equal(4u, survivor[1, 1]);
                    survivor.Fill(1);
                }
                catch (ObjectDisposedException)
                {
                    Assert.Throws<ObjectDisposedException>(() => survivor[0, 0]);
                    Assert.Throws<ObjectDisposedException>(() => survivor.View(0, 0, 1, 1));
                }

                survivor.Dispose();
            }

            Assert.All(others, static other => Assert.Equal(0u, other[0, 0]));
            survivors.Clear();
        });
    }

    private static void DisposeOnOtherThread()
    {
        using var disposer = new DisposingThread();
        CheckFinalizers(disposer.HandOver, _ => disposer.AwaitAll());
    }

    private static void CheckFinalizers(Action<PixelBuffer<uint>> finalize, Action<Rental>? afterwards = null)
    {
        var failures = new ConcurrentQueue<Exception>();
        Rental.ForEachKind(kind =>
        {
            int properly = 0;
            foreach (FinalizerOrder order in Enum.GetValues<FinalizerOrder>())
            {
                using var rental = new Rental(kind);
                for (int round = 0; round < Rounds; round++)
                {
                    LeakWithOwners(rental, order, finalize, failures);
                    Collector.CollectAll();
                    if (afterwards is not null)
                    {
                        afterwards(rental);
                        Collector.CollectAll();
                    }
                }

                Assert.Empty(failures);
                int leaked = (int)rental.Statistics.LeakedCount;
                Assert.InRange(leaked, 0, Rounds * PerRound);
                properly += (Rounds * PerRound) - leaked;
                rental.AssertNothingRented();
                UseHeavily(rental);
            }

            Console.WriteLine($"{kind}: {properly} of {Rounds * PerRound * 3} returned before their guard was finalized");
        });
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LeakWithOwners(Rental rental, FinalizerOrder order, Action<PixelBuffer<uint>> finalize, ConcurrentQueue<Exception> failures)
    {
        for (int i = 0; i < PerRound; i++)
        {
            // The runtime finalizes more or less by age: so both ages, and the one order that is certain (critical finalizers come last).
            PixelBuffer<uint>? image = order == FinalizerOrder.OwnerIsYounger ? rental.Rent() : null;
            IImageOwner owner = order == FinalizerOrder.OwnerIsCritical
                ? new CriticalImageOwner(finalize, failures)
                : new ImageOwner(finalize, failures);
            owner.Image = image ?? rental.Rent();
            owner.Image.Fill(4);
        }
    }

    private static void ReleaseDueGuards()
    {
        var log = new ConcurrentQueue<string>();
        using var rental = new Rental(RentKind.OneBlock);
        using var pool = new UniformUnmanagedMemoryPool(new PixelAllocatorOptions
        {
            BlockBytes = Rental.BlockBytes,
            SmallBufferThresholdBytes = 0,
            MaxPooledBytes = 64 * Rental.BlockBytes,
            TrimPolicy = TrimPolicy.None,
            BlockSource = rental.Source,
        });
        for (int round = 0; round < Rounds; round++)
        {
            LeakGuards(pool, log);
            Collector.CollectAll();
        }

        Assert.Equal(0, pool.GetStatistics().RentedBytes);
        Assert.DoesNotContain(log, static line => line.Contains("parked", StringComparison.Ordinal));
        Console.WriteLine(string.Join(Environment.NewLine, log.GroupBy(static line => line).Select(static g => $"{g.Count()} × {g.Key}")));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LeakGuards(UniformUnmanagedMemoryPool pool, ConcurrentQueue<string> log)
    {
        for (int i = 0; i < PerRound; i++)
        {
            LifetimeGuard? guard = i % 2 == 0 ? pool.RentGuarded() : null;
            var owner = new GuardOwner(pool, log);
            owner.Hold(guard ?? pool.RentGuarded());
        }
    }

    private static void RentInFinalizer()
    {
        var failures = new ConcurrentQueue<Exception>();
        for (int round = 0; round < Rounds; round++)
        {
            Rental.ForEachKind(kind =>
            {
                (FakeBlockSource source, RecyclingArrayPool arrays) = LeakAllocatorWithOwner(kind, failures);
                Collector.CollectAll();
                Assert.Empty(failures);
                Assert.Equal(0, source.LiveBytes);
                Assert.Equal(0, arrays.RentedCount);
            });
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (FakeBlockSource Source, RecyclingArrayPool Arrays) LeakAllocatorWithOwner(RentKind kind, ConcurrentQueue<Exception> failures)
    {
        var rental = new Rental(kind);
        rental.Rent().Dispose();
        _ = new ImageOwner(
            _ =>
            {
                try
                {
                    using PixelBuffer<uint> image = rental.Rent();
                    image.Fill(6);
                    Assert.Equal(6u, image[1, 1]);
                }
                catch (ObjectDisposedException)
                {
                    // The pool was finalized before: a clean refusal.
                }
            },
            failures)
        {
            Image = rental.Rent(),
        };
        return (rental.Source, rental.Arrays);
    }

    // Cookies in every rent, twice over: memory in two rents would show.
    private static void UseHeavily(Rental rental)
    {
        for (int round = 0; round < 2; round++)
        {
            using var scope = new RentScope(rental.Allocator);
            PixelBuffer<uint>[] images = [.. Enumerable.Range(0, 30).Select(_ => scope.Rent<uint>(100, 100))];
            for (int i = 0; i < images.Length; i++)
            {
                images[i].Fill((uint)i);
            }

            for (int i = 0; i < images.Length; i++)
            {
                images[i].ProcessPixelRows((uint)i, static (rows, i) =>
                {
                    foreach (Span<uint> row in rows)
                    {
                        Assert.Equal(-1, row.IndexOfAnyExcept(i));
                    }
                });
            }
        }
    }
}
