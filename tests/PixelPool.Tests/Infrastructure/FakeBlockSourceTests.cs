namespace PixelPool.Tests.Infrastructure;

/// <summary>Tests that rely on a fake must know that it notices.</summary>
public unsafe class FakeBlockSourceTests
{
    [Fact]
    public void Second_free_foreign_free_and_wrong_size_are_noticed_and_not_done()
    {
        var source = new FakeBlockSource();
        Assert.True(source.TryAllocate(100, hugePages: false, out nint address));
        source.FreeWithoutAccount(address, 99);
        source.FreeWithoutAccount(address + 1, 100);
        Assert.Equal((2, 1, 0), (source.Misuse.Length, source.LivePieces, source.Frees));
        source.Release(address, 100);
        Assert.Equal((2, 0, 1), (source.Misuse.Length, source.LivePieces, source.Frees));
        source.FreeWithoutAccount(address, 100);
        Assert.Equal((3, 1), (source.Misuse.Length, source.Frees));
        Assert.ThrowsAny<Exception>(source.Dispose);
        Assert.ThrowsAny<Exception>(source.AssertAllFreed);
    }

    [Fact]
    public void Write_past_the_end_is_noticed_at_the_free()
    {
        var source = new FakeBlockSource();
        Assert.True(source.TryAllocate(100, hugePages: false, out nint address));
        ((byte*)address)[100] = 1;
        source.Release(address, 100);
        Assert.Contains("past its end", Assert.Single(source.Misuse), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, FakeBlockSource.Garbage)]
    public void Fresh_memory_is_what_it_says(bool zeroed, byte expected)
    {
        using var source = new FakeBlockSource(zeroed);
        Assert.Equal(zeroed, source.IsZeroed);
        Assert.True(source.TryAllocate(5000, hugePages: false, out nint address));
        Assert.Equal(-1, new Span<byte>((void*)address, 5000).IndexOfAnyExcept(expected));
        source.Release(address, 5000);
    }

    [Fact]
    public void Planned_failures_come_when_they_are_due()
    {
        using var source = new FakeBlockSource();
        source.FailAt(2, times: 2);
        Assert.Equal([true, false, false, true], Enumerable.Range(0, 4).Select(_ => source.TryAllocate(10, hugePages: false, out nint _)));
        source.MaxLivePieces = 2;
        Assert.False(source.TryAllocate(10, hugePages: false, out nint _));
        source.Heal();
        source.MaxLiveBytes = 30;
        Assert.False(source.TryAllocate(11, hugePages: false, out nint _));
        Assert.True(source.TryAllocate(10, hugePages: false, out nint _));
        source.Heal();
        source.FailAlways();
        Assert.False(source.TryAllocate(1, hugePages: false, out nint address));
        Assert.Equal(0, address);
        Assert.Equal((8, 3, 5, 30), (source.Attempts, source.Allocations, source.Failures, source.LiveBytes));
    }
}
