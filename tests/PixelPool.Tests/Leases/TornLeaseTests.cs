using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Leases;

/// <summary>A lease is larger than a word: threads that share a variable without coordination can read the half of one lease with the half of another.</summary>
public class TornLeaseTests
{
    [Fact]
    public void Lease_of_two_halves_is_none()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        using PixelLease<byte> small = allocator.Lease<byte>(10, 10);
        using PixelLease<byte> large = allocator.Lease<byte>(1000, 60);
        PixelLease<byte> torn = Tear(small, large);
        Assert.True(torn.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => torn.ProcessPixelRows(static _ => Assert.Fail("It has rows.")));
        Assert.Throws<ObjectDisposedException>(torn.AsBuffer);
        Assert.False(small.IsDisposed);
        Assert.False(large.IsDisposed);
    }

    [Fact]
    public void Guards_begin_at_versions_that_are_far_apart()
    {
        using var system = new TestSystem();
        using UniformUnmanagedMemoryPool pool = system.CreatePool();

        // All held: a collection brings back the guard of a rent that nobody holds, and the next rent is its next version.
        LifetimeGuard[] guards = [.. Enumerable.Range(0, 60).Select(_ => pool.RentGuarded())];
        uint[] versions = [.. guards.Select(static guard => guard.Version).Order()];
        Assert.All(versions.Zip(versions.Skip(1)), static pair => Assert.True(pair.Second - pair.First > 1_000_000, $"{pair}"));
        GC.KeepAlive(guards);
    }

    // The guard of one, and everything else of the other.
    private static PixelLease<byte> Tear(PixelLease<byte> guard, PixelLease<byte> rest)
    {
        PixelLease<byte> torn = rest;
        Unsafe.As<PixelLease<byte>, object>(ref torn) = Unsafe.As<PixelLease<byte>, object>(ref guard);
        return torn;
    }
}
