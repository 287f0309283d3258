using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>The guard's mark of the rented handle: it is released once, whoever else holds a reference.</summary>
public sealed class OwnerTests : IDisposable
{
    private const int Threads = 4;

    private readonly TestSystem _system = new();
    private readonly UniformUnmanagedMemoryPool _pool;

    public OwnerTests() => _pool = _system.CreatePool();

    public void Dispose()
    {
        _pool.Dispose();
        _system.Source.AssertAllFreed();
        _system.Dispose();
    }

    [Fact]
    public void Owner_is_released_once()
    {
        LifetimeGuard guard = Rent();
        uint version = guard.Version;
        Assert.True(guard.IsCurrent(version, LifetimeGuard.Owner));
        Assert.True(guard.TryReleaseOwner(version));
        Assert.False(guard.TryReleaseOwner(version));
        Assert.False(guard.TryReleaseOwner(guard.Version));
        Assert.False(guard.IsCurrent(version, LifetimeGuard.Owner));
        Assert.False(guard.IsCurrent(guard.Version, LifetimeGuard.Owner));
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 1);
    }

    [Fact]
    public void Released_owner_leaves_the_references_of_others()
    {
        LifetimeGuard guard = Rent();
        uint version = guard.Version;
        Assert.True(guard.TryAcquire(version, LifetimeGuard.Owner));
        Assert.True(guard.TryReleaseOwner(version));
        Assert.False(guard.IsCurrent(version, LifetimeGuard.Owner));
        Assert.True(guard.IsCurrent(version));
        for (int i = 0; i < 3; i++)
        {
            Assert.False(guard.TryReleaseOwner(version));
            Assert.False(guard.TryAcquire(version, LifetimeGuard.Owner));
        }

        // Others still come and go.
        Assert.True(guard.TryAcquire(version));
        Assert.True(guard.TryRelease(version));
        StatisticsAssert.Blocks(_pool, rented: 1, idle: 0);
        Assert.True(guard.TryRelease(version));
        Assert.False(guard.TryRelease(version));
        Assert.False(guard.TryAcquire(version));
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 1);
    }

    [Fact]
    public void Owner_stays_while_others_come_and_go()
    {
        LifetimeGuard guard = Rent();
        uint version = guard.Version;
        for (int i = 0; i < 1000; i++)
        {
            Assert.True(guard.TryAcquire(version));
        }

        for (int i = 0; i < 1000; i++)
        {
            Assert.True(guard.TryRelease(version));
        }

        Assert.True(guard.IsCurrent(version, LifetimeGuard.Owner));
        StatisticsAssert.Blocks(_pool, rented: 1, idle: 0);
        Assert.True(guard.TryReleaseOwner(version));
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 1);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(LifetimeGuard.Owner)]
    [InlineData(LifetimeGuard.Reference)]
    public void Old_version_has_nothing_of_the_next_rent(int required)
    {
        LifetimeGuard guard = Rent();
        uint old = guard.Version;
        guard.TryReleaseOwner(old);
        RentAgain(guard);
        uint version = guard.Version;
        foreach (uint other in (uint[])[old, version + 1, 0x8000_0000 ^ version])
        {
            Assert.False(guard.IsCurrent(other, required));
            Assert.False(guard.TryAcquire(other, required));
            Assert.False(guard.TryRelease(other));
            Assert.False(guard.TryReleaseOwner(other));
        }

        Assert.Equal(required != 0, guard.IsCurrent(version, required));
        Assert.Equal(1, _pool.GetStatistics().RentedBytes / _pool.BlockBytes);
        Assert.True(guard.TryReleaseOwner(version));
    }

    [Fact]
    public void Simultaneous_releases_of_the_owner_succeed_once()
    {
        for (int round = 0; round < 200; round++)
        {
            LifetimeGuard guard = Rent();
            uint version = guard.Version;
            Assert.True(guard.TryAcquire(version));
            int owners = 0;
            int references = 0;
            Simultaneously.Run(Threads * 2, thread =>
            {
                if (thread % 2 == 0)
                {
                    Count(ref owners, guard.TryReleaseOwner(version));
                }
                else if (guard.TryAcquire(version, thread % 4 == 1 ? LifetimeGuard.Owner : LifetimeGuard.Reference))
                {
                    Assert.Equal(_pool.BlockBytes, _pool.GetStatistics().RentedBytes);
                    Count(ref references, !guard.TryRelease(version));
                }
            });
            Assert.Equal((1, 0), (owners, references));
            Assert.True(guard.IsCurrent(version));
            Assert.True(guard.TryRelease(version));
            Assert.False(guard.IsCurrent(version));
            StatisticsAssert.Blocks(_pool, rented: 0, idle: 1);
        }
    }

    private static void Count(ref int counter, bool happened)
    {
        if (happened)
        {
            Interlocked.Increment(ref counter);
        }
    }

    private LifetimeGuard Rent() => _pool.RentGuarded();

    // The last guard parked is the next one used, but on another processor: then its stripe is another one.
    private void RentAgain(LifetimeGuard guard)
    {
        for (int i = 0; i < 100_000; i++)
        {
            LifetimeGuard rented = Rent();
            if (rented == guard)
            {
                return;
            }

            rented.TryReleaseOwner(rented.Version);
        }

        Assert.Fail("the guard was not used again");
    }
}
