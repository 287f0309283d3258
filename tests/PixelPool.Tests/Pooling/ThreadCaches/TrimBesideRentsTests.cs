using PixelPool.Accounts;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Stress;
using PixelPool.Tiers;
using Caches = PixelPool.Pooling.ThreadCaches;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>Threads return to their caches as fast as others take from there: what is taken is what was idle at first, so whoever takes it comes to an end.</summary>
[Trait("Category", "Long")]
public sealed class TrimBesideRentsTests : ThreadCacheTest
{
    [Theory]
    [InlineData(null, SmallBufferStrategy.ArrayPool)]
    [InlineData(null, SmallBufferStrategy.Slab)]
    [InlineData(64 << 20, SmallBufferStrategy.ArrayPool)]
    public void Trims_end(int? budget, SmallBufferStrategy strategy)
    {
        using PixelAllocator allocator = PoolSystem.CreateAllocator(configure: options =>
        {
            options.SmallBuffers = strategy;
            options.MaxRentedBytes = budget;
            options.TrimPolicy = TrimPolicy.None;
        });
        int[] sizes = [TestSystem.BlockBytes, .. Enumerable.Range(0, 24).Select(static i => (i % 2 == 0 ? 2 : 3) << (4 + (i / 2))).Where(static bytes => bytes < TestSystem.BlockBytes)];
        bool isOver = false;
        int trims = 0;
        Simultaneously.Run(2, thread =>
        {
            if (thread == 0)
            {
                long began = TimeProvider.System.GetTimestamp();
                while (TimeProvider.System.GetElapsedTime(began) < StressTime.Of(0.5))
                {
                    allocator.Trim();
                    trims++;
                }

                Volatile.Write(ref isOver, true);
                return;
            }

            // Of so many sizes some are always there, as long as the thread runs.
            while (!Volatile.Read(ref isOver))
            {
                foreach (int bytes in sizes)
                {
                    allocator.Lease<byte>(bytes, 1).Dispose();
                }
            }
        });
        TestContext.Current.TestOutputHelper!.WriteLine($"{trims} trims");
        allocator.Trim();
        Assert.Equal((0, 0), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
    }

    [Fact]
    public void What_comes_meanwhile_stays()
    {
        const int First = 4;
        using var held = new HeldArrays(64);
        Simultaneously.Run(1, _ =>
        {
            int moved = 0;
            Caches caches = null!;
            caches = new Caches(new MemoryAccounts(new SilentListener()), 4096, budget: null, _ =>
            {
                moved++;
                return caches.Mine!.TryReturn(held.Guards[First + moved], Magazines.Block);
            }, static _ => Assert.Fail("it is idle"));
            while (caches.Mine is null)
            {
                caches.ClaimIfOftenMissed();
            }

            ThreadCache cache = caches.Mine!;
            for (int i = 0; i < First; i++)
            {
                Assert.True(cache.TryReturn(held.Guards[i], Magazines.Block));
            }

            caches.PutAllBack();
            Assert.Equal(First, moved);
            Assert.Equal(First, caches.PutBlocksBack(int.MaxValue));
            Assert.Equal(2 * First, moved);
        });
    }

    /// <summary>The timer rests when nothing is idle: it must not, because a block lay where nobody looked at that moment.</summary>
    [Fact]
    public void What_goes_to_a_stripe_while_it_is_looked_for_is_found() => Simultaneously.Run(1, _ =>
    {
        using UniformUnmanagedMemoryPool pool = PoolSystem.CreatePool();
        Caches caches = pool.Blocks.Depot.Caches;
        while (caches.Mine is null)
        {
            caches.ClaimIfOftenMissed();
        }

        // The second one is not fresh.
        var tier = new BlockTier(pool.Blocks, budget: null);
        LifetimeGuard guard = tier.TryTake(1, payer: null, out long _)!;
        Assert.True(guard.TryReleaseOwner(guard.Version));
        guard = tier.TryTake(1, payer: null, out long _)!;
        Assert.True(guard.TryReleaseOwner(guard.Version, out bool last) && last);
        Assert.True(caches.Mine.TryReturn(guard, Magazines.Block));

        int moved = 0;
        pool.Blocks.Trimmer.Add(new LookedAt(() => moved += caches.PutBlocksBack(int.MaxValue)));
        Assert.True(pool.Blocks.Trimmer.HasIdle);
        Assert.Equal(1, moved);
    });

    // Something happens after the stripes were looked at.
    private sealed class LookedAt(Action look) : IFreePages
    {
        public bool HasFreePages
        {
            get
            {
                look();
                return false;
            }
        }

        public bool EndPeriod() => false;

        public void DiscardFreePages()
        {
        }
    }
}
