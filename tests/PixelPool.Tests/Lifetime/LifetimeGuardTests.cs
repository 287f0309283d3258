using System.Buffers;
using System.Reflection;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>The guard's own promises: a version names one rent, the last reference returns the memory, once.</summary>
public sealed class LifetimeGuardTests : IDisposable
{
    private const int BlockBytes = 64 << 10;
    private const int Threads = 4;

    private static readonly FieldInfo s_state = typeof(LifetimeGuard).GetField("_state", BindingFlags.Instance | BindingFlags.NonPublic)!;

    private readonly FakeBlockSource _source = new();
    private readonly UniformUnmanagedMemoryPool _pool;

    public LifetimeGuardTests() => _pool = new UniformUnmanagedMemoryPool(new PixelAllocatorOptions
    {
        BlockBytes = BlockBytes,
        SmallBufferThresholdBytes = 0,
        MaxPooledBytes = 8 * BlockBytes,
        TrimPolicy = TrimPolicy.None,
        BlockSource = _source,
    });

    public void Dispose()
    {
        _pool.Dispose();
        Assert.Equal(0, _source.LiveBytes);
    }

    [Fact]
    public void Second_release_is_refused()
    {
        LifetimeGuard guard = Rent();
        uint version = guard.Version;
        Assert.True(guard.IsCurrent(version));
        Assert.True(guard.TryRelease(version));
        Assert.False(guard.TryRelease(version));
        Assert.False(guard.TryAcquire(version));
        Assert.False(guard.IsCurrent(version));
        Assert.False(guard.IsCurrent(guard.Version));
        Assert.False(guard.TryRelease(guard.Version));
        AssertRented(0);
    }

    /// <summary>Views that nobody disposes are no memory: a program may make billions of them. The next ones would be the owner.</summary>
    [Fact]
    public void More_than_a_billion_views_and_pins_are_refused()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { TrimPolicy = TrimPolicy.None });
        using PixelBuffer<byte> image = allocator.Rent<byte>(1024, 1024);
        using IMemoryOwner<byte> owner = allocator.Allocate<byte>(1 << 20);
        Fill(image);
        Fill(owner);
        long references = State(owner);
        Assert.Throws<InvalidMemoryOperationException>(() => image.View(0, 0, 1, 1));
        Assert.Throws<InvalidMemoryOperationException>(() => image.Cast<ushort>());
        Assert.Throws<InvalidMemoryOperationException>(() => image.AsStream());
        Assert.Throws<InvalidMemoryOperationException>(() => image.Pin());
        Assert.Throws<InvalidMemoryOperationException>(() => owner.Memory.Pin());
        image[0, 0] = 7;
        owner.Memory.Span[0] = 7;
        Assert.False(image.IsDisposed);
        Assert.Equal(references, State(owner));

        static void Fill(object handle) => s_state.SetValue(Guard(handle), State(handle) + (1 << 30) - 1);

        static long State(object handle) => (long)s_state.GetValue(Guard(handle))!;

        static LifetimeGuard Guard(object handle) => (LifetimeGuard)FindField(handle.GetType(), typeof(LifetimeGuard)).GetValue(handle)!;

        static FieldInfo FindField(Type? type, Type field) =>
            Array.Find(type!.GetFields(BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.DeclaredOnly), found => found.FieldType == field) ?? FindField(type.BaseType, field);
    }

    [Fact]
    public void Old_version_is_refused_after_reuse()
    {
        LifetimeGuard guard = Rent();
        uint old = guard.Version;
        guard.TryRelease(old);
        RentAgain(guard);
        uint version = guard.Version;
        Assert.NotEqual(old, version);

        Assert.False(guard.TryRelease(old));
        Assert.False(guard.TryAcquire(old));
        Assert.False(guard.IsCurrent(old));
        Assert.True(guard.IsCurrent(version));
        AssertRented(1);

        Assert.True(guard.TryRelease(version));
        AssertRented(0);
    }

    [Fact]
    public void Version_of_the_future_is_refused()
    {
        LifetimeGuard guard = Rent();
        Assert.False(guard.TryRelease(guard.Version + 1));
        Assert.False(guard.TryAcquire(guard.Version + 1));
        Assert.True(guard.TryRelease(guard.Version));
    }

    [Fact]
    public void Last_reference_returns_the_memory()
    {
        LifetimeGuard guard = Rent();
        uint version = guard.Version;
        Assert.True(guard.TryAcquire(version));
        Assert.True(guard.TryAcquire(version));
        Assert.True(guard.TryRelease(version));
        Assert.True(guard.TryRelease(version));
        AssertRented(1);
        Assert.True(guard.TryRelease(version));
        AssertRented(0);
        Assert.False(guard.TryRelease(version));
    }

    [Fact]
    public void Parked_guard_is_not_awaiting_its_finalizer()
    {
        LifetimeGuard guard = Rent();
        Assert.False(guard.IsFinalizationPending);
        guard.TryRelease(guard.Version);
        Assert.False(guard.IsFinalizationPending);
    }

    [Fact]
    public void Guard_of_a_disposed_pool_returns_to_the_system()
    {
        LifetimeGuard guard = Rent();
        _pool.Dispose();
        Assert.Equal(BlockBytes, _source.LiveBytes);
        Assert.True(guard.TryRelease(guard.Version));
        Assert.False(guard.TryRelease(guard.Version));
        Assert.Equal(0, _source.LiveBytes);
        AssertRented(0);
    }

    [Theory]
    [Trait("Category", "Long")]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(Threads)]
    public void Simultaneous_releases_succeed_once_per_reference(int references)
    {
        for (int round = 0; round < 200; round++)
        {
            LifetimeGuard guard = Rent();
            uint version = guard.Version;
            for (int i = 1; i < references; i++)
            {
                Assert.True(guard.TryAcquire(version));
            }

            int released = 0;
            Simultaneously.Run(Threads * 2, _ =>
            {
                if (guard.TryRelease(version))
                {
                    Interlocked.Increment(ref released);
                }
            });

            Assert.Equal(references, released);
            AssertRented(0);
        }

        // One block came and went: returned twice, it would be idle twice.
        Assert.Equal(BlockBytes, _pool.GetStatistics().IdleBytes);
    }

    [Fact]
    [Trait("Category", "Long")]
    public void Reference_that_was_got_beside_a_release_holds_the_memory()
    {
        for (int round = 0; round < 200; round++)
        {
            LifetimeGuard guard = Rent();
            uint version = guard.Version;
            Simultaneously.Run(Threads, thread =>
            {
                if (thread == 0)
                {
                    Assert.True(guard.TryRelease(version));
                }
                else if (guard.TryAcquire(version))
                {
                    Assert.True(guard.IsCurrent(version));
                    Assert.Equal(BlockBytes, _pool.GetStatistics().RentedBytes);
                    Assert.True(guard.TryRelease(version));
                }
            });

            Assert.False(guard.IsCurrent(version));
            AssertRented(0);
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

            rented.TryRelease(rented.Version);
        }

        Assert.Fail("the guard was not used again");
    }

    private void AssertRented(int blocks) => Assert.Equal(blocks * BlockBytes, _pool.GetStatistics().RentedBytes);
}
