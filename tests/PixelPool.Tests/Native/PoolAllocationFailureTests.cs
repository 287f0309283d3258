using PixelPool.Native;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native;

/// <summary>The system has no memory for the k-th of N blocks of a bare pool.</summary>
public sealed class PoolAllocationFailureTests : IDisposable
{
    private readonly TestSystem _system = TestSystem.Alone();

    public static TheoryData<int, int> EveryPlace => [.. Enumerable.Range(1, 6).SelectMany(static count => Enumerable.Range(1, count).Select(k => (count, k)))];

    public void Dispose() => _system.Dispose();

    [Theory]
    [MemberData(nameof(EveryPlace))]
    public void Failure_at_the_kth_block_takes_nothing(int count, int k)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] held = pool.Rent(2);
        PixelPoolStatistics before = pool.GetStatistics();
        _system.Source.MaxLivePieces = 2 + k - 1;

        var exception = Assert.Throws<OutOfMemoryException>(() => pool.TryRent(new nint[count]));
        Assert.Contains($"{ByteSize.Format(count * (long)TestSystem.BlockBytes)} ({count} piece", exception.Message, StringComparison.Ordinal);
        Assert.Contains("this pool holds 128 KiB", exception.Message, StringComparison.Ordinal);
        Assert.Equal(before, pool.GetStatistics());
        Assert.Equal(2, _system.Source.LivePieces);
        Assert.Equal(OutOfMemoryRecovery.Attempts, _system.Source.Failures);
        Assert.Equal(2 + (OutOfMemoryRecovery.Attempts * k), _system.Source.Attempts);

        _system.Source.Heal();
        nint[] blocks = pool.Rent(count);
        Assert.Equal(count, blocks.Except(held).Count());
        StatisticsAssert.Blocks(pool, rented: 2 + count, idle: 0);
    }

    [Theory]
    [MemberData(nameof(EveryPlace))]
    public void Failure_at_the_kth_new_block_keeps_no_idle_block(int count, int k)
    {
        // A request that finds no memory trims every pool, its own included: what was idle is given back, and nothing else changes.
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        pool.MakeIdle(3);
        _system.Source.FailAt(k, long.MaxValue);
        Assert.Throws<OutOfMemoryException>(() => pool.TryRent(new nint[3 + count]));
        PixelPoolStatistics after = StatisticsAssert.Blocks(pool, rented: 0, idle: 0);
        Assert.Equal(3 * TestSystem.BlockBytes, after.TrimmedByOutOfMemoryBytes);
        Assert.Equal(1, after.Rents);
        _system.Source.AssertAllFreed();
        _system.Source.Heal();
        pool.Return(pool.Rent(64));
    }

    [Fact]
    public void Capacity_is_whole_after_a_failure()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 4);
        for (int k = 1; k <= 4; k++)
        {
            _system.Source.MaxLivePieces = k - 1;
            Assert.Throws<OutOfMemoryException>(() => pool.TryRent(new nint[4]));
        }

        _system.Source.Heal();
        Assert.Equal(4, pool.Rent(4).Distinct().Count());
        Assert.False(pool.TryRent(new nint[1]));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Failure_that_heals_after_some_attempts_is_not_seen(int failures)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        Assert.True(failures < OutOfMemoryRecovery.Attempts);
        _system.Source.FailNext(failures);
        nint[] blocks = pool.Rent(4);
        Assert.Equal(4, blocks.Distinct().Count());
        Assert.Equal(failures, _system.Source.Failures);
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(pool, rented: 4, idle: 0);
        Assert.Equal((1, 1), (statistics.Rents, statistics.Misses));
    }

    [Fact]
    public void Retries_and_waits_are_bounded()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        _system.Source.FailAlways();
        Assert.Throws<OutOfMemoryException>(() => pool.TryRent(new nint[3]));
        Assert.Equal(OutOfMemoryRecovery.Attempts, _system.Source.Attempts);
        Assert.Equal(OutOfMemoryRecovery.Attempts - 1, _system.Pauses);
    }

    [Fact]
    public void A_fitting_request_from_idle_blocks_does_not_notice_that_memory_ran_out()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        pool.MakeIdle(4);
        _system.Source.FailAlways();
        pool.Rent(4);
        Assert.Equal(0, _system.Source.Failures);
    }

    [Fact]
    public void A_request_over_the_capacity_is_refused_without_asking_the_system()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 2);
        _system.Source.FailAlways();
        Assert.False(pool.TryRent(new nint[3]));
        Assert.Equal(0, _system.Source.Attempts);
    }

    [Fact]
    public void Other_pools_are_trimmed_for_a_request_that_finds_no_memory()
    {
        using UniformUnmanagedMemoryPool hoarder = _system.CreatePool();
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        nint[] rented = hoarder.Rent(1);
        hoarder.Bytes(rented[0]).Fill(0x5A);
        hoarder.MakeIdle(5);
        _system.Source.MaxLivePieces = 6;

        nint[] blocks = pool.Rent(5);
        Assert.Equal(5, blocks.Distinct().Count());
        PixelPoolStatistics statistics = StatisticsAssert.Blocks(hoarder, rented: 1, idle: 0);
        Assert.Equal(5 * TestSystem.BlockBytes, statistics.TrimmedByOutOfMemoryBytes);
        Assert.Equal(-1, hoarder.Bytes(rented[0]).IndexOfAnyExcept((byte)0x5A));
        Assert.Equal(0, _system.Pauses);
    }

    [Fact]
    public void Pools_that_never_trim_by_themselves_are_trimmed_too_when_memory_runs_out()
    {
        using UniformUnmanagedMemoryPool hoarder = _system.CreatePool(TrimPolicy.None);
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        hoarder.MakeIdle(2);
        _system.Source.MaxLivePieces = 2;
        pool.Rent(1);
        StatisticsAssert.Blocks(hoarder, rented: 0, idle: 0);
    }

    [Fact]
    public void Disposed_pools_are_left_out()
    {
        UniformUnmanagedMemoryPool disposed = _system.CreatePool();
        nint[] rented = disposed.Rent(1);
        disposed.Dispose();
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        _system.Source.FailNext();
        pool.Rent(1);
        StatisticsAssert.Blocks(disposed, rented: 1, idle: 0);
        disposed.Return(rented);
    }
}
