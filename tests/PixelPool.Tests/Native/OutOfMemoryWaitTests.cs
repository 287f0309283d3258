using PixelPool.Pooling;
using PixelPool.Tests.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native;

/// <summary>A request that finds no memory gives others a moment to return some, and no more.</summary>
public sealed class OutOfMemoryWaitTests : IDisposable
{
    private readonly TestSystem _system = TestSystem.Alone();

    public void Dispose() => _system.Dispose();

    [Fact]
    public void Block_that_is_returned_during_the_wait_is_used()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] held = pool.Rent(3);
        _system.Source.MaxLivePieces = 3;
        nint[] got = new nint[2];
        _system.OnPause = _ => pool.Return(held.AsSpan(0, 2));
        Assert.True(pool.TryRent(got));
        Assert.Equal(held[..2].Order(), got.Order());
        Assert.Equal((3, 1, 1), (_system.Source.Allocations, _system.Source.Failures, _system.Pauses));
        StatisticsAssert.Blocks(pool, rented: 3, idle: 0);
    }

    [Fact]
    public void Block_that_another_pool_gets_back_during_the_wait_is_given_to_the_system_and_used()
    {
        using UniformUnmanagedMemoryPool other = _system.CreatePool();
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] held = other.Rent(1);
        _system.Source.MaxLivePieces = 1;
        _system.OnPause = _ => other.Return(held);
        Assert.True(pool.TryRent(new nint[1]));
        StatisticsAssert.Blocks(pool, rented: 1, idle: 0);
        Assert.Equal(TestSystem.BlockBytes, other.GetStatistics().TrimmedByOutOfMemoryBytes);

        // Its first attempt after the wait finds the block idle in the other pool.
        Assert.Equal((2, 1), (_system.Source.Allocations, _system.Pauses));
    }

    [Fact]
    public void Unpooled_image_that_is_disposed_during_the_wait_makes_room()
    {
        using PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: 0);
        PixelBuffer<byte> held = allocator.Rent<byte>(TestSystem.BlockBytes, 3);
        _system.Source.MaxLiveBytes = 3 * TestSystem.BlockBytes;
        _system.OnPause = _ => held.Dispose();
        allocator.Rent<byte>(TestSystem.BlockBytes, 2).Dispose();
        Assert.Equal(1, _system.Pauses);
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Block_that_a_disposed_pool_gets_back_during_the_wait_is_used()
    {
        UniformUnmanagedMemoryPool disposed = _system.CreatePool();
        nint[] held = disposed.Rent(1);
        disposed.Dispose();
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        _system.Source.MaxLivePieces = 1;
        _system.OnPause = _ => disposed.Return(held);
        pool.Rent(1);
        Assert.Equal(1, _system.Pauses);
        StatisticsAssert.Blocks(pool, rented: 1, idle: 0);
    }

    [Fact]
    public void Request_gives_up_when_nothing_came()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        _system.Source.FailAlways();
        var pauses = new List<TimeSpan>();
        _system.OnPause = pauses.Add;
        Assert.Throws<OutOfMemoryException>(() => pool.TryRent(new nint[1]));
        Assert.Equal((OutOfMemoryRecovery.Attempts, OutOfMemoryRecovery.Attempts - 1), (_system.Source.Attempts, _system.Pauses));
        Assert.All(pauses, static pause => Assert.Equal(50, pause.TotalMilliseconds));
    }

    /// <summary>Before it is refused nobody asks how much memory there is, because that costs more than to take so little.</summary>
    [Fact]
    public void Small_request_that_can_never_fit_is_refused_with_the_first_attempt_and_trims_nobody()
    {
        using PixelAllocator other = _system.CreateAllocator();
        other.Rent<byte>(TestSystem.BlockBytes, 5).Dispose();
        using PixelAllocator allocator = _system.CreateAllocator();
        long attempts = _system.Source.Attempts;
        _system.Pressure.AvailableBytes = 3 * TestSystem.BlockBytes;
        _system.Source.FailAlways();
        var exception = Assert.Throws<OutOfMemoryException>(() => allocator.Rent<byte>(TestSystem.BlockBytes, 4));
        Assert.Contains("more than all memory", exception.Message, StringComparison.Ordinal);
        Assert.Equal((attempts + 1, 0), (_system.Source.Attempts, _system.Pauses));
        Assert.Equal(5 * TestSystem.BlockBytes, other.GetStatistics().IdleBytes);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }

    /// <summary>In a process of its own: collections of other tests would find it as well.</summary>
    [Fact]
    public void Unpooled_image_that_was_forgotten_makes_room() => ChildProcess.Run(RentBesideForgotten);

    [Fact]
    public void Request_that_is_interrupted_during_the_real_wait_takes_nothing()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] held = pool.Rent(2);
        _system.Source.MaxLivePieces = 2;
        _system.OnPause = static pause =>
        {
            Thread.CurrentThread.Interrupt();
            new PixelAllocatorOptions().Pause(pause);
        };
        Assert.Throws<ThreadInterruptedException>(() => pool.TryRent(new nint[1]));
        Assert.Equal(1, _system.Pauses);
        pool.Return(held);
        StatisticsAssert.Blocks(pool, rented: 0, idle: 2);
    }

    private static void RentBesideForgotten()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(capacityInBlocks: 0);
        ForgottenImage.Leak(allocator, blocks: 3);
        system.Source.MaxLiveBytes = 3 * TestSystem.BlockBytes;

        // The moment that others get: finalizers run.
        system.OnPause = static _ => GC.WaitForPendingFinalizers();
        allocator.Rent<byte>(TestSystem.BlockBytes, 2).Dispose();
        Assert.Equal((1L, 1), (allocator.GetStatistics().LeakedCount, system.Pauses));
    }
}
