namespace PixelPool.Tests.Infrastructure;

/// <summary>Tests that rely on a fake must know that it notices.</summary>
public unsafe class FakeBlockSourceTests
{
    private const int Page = FakePages.PageBytes;

    [Fact]
    public void Second_free_foreign_free_and_wrong_size_are_noticed_and_not_done()
    {
        var source = new FakeBlockSource();
        Assert.True(source.TryAllocate(100, hugePages: false, out nint address));
        source.Release(address, 99);
        source.Release(address + 1, 100);
        Assert.Equal((2, 1, 0), (source.Misuse.Length, source.LivePieces, source.Frees));
        source.Release(address, 100);
        Assert.Equal((2, 0, 1), (source.Misuse.Length, source.LivePieces, source.Frees));
        source.Release(address, 100);
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

    [Fact]
    public void Blocks_of_divisible_memory_are_freed_in_parts_and_across_runs()
    {
        using var source = new FakeBlockSource(divisible: true);
        Assert.True(source.TryAllocateRun(4, Page, hugePages: false, out nint first));
        Assert.True(source.TryAllocateRun(2, Page, hugePages: false, out nint second));
        Assert.Equal(first + (4 * Page), second);
        source.ReleaseRun(first + Page, 1, Page);
        Assert.Equal([Page, 4 * Page], source.LiveSizes);
        source.ReleaseRun(first + (3 * Page), 2, Page);
        Assert.Equal([Page, Page, Page], source.LiveSizes);
        source.ReleaseBlocks([second + Page, first, first + (2 * Page)], Page);
        source.AssertAllFreed();
    }

    [Fact]
    public void Parts_of_a_piece_and_blocks_of_another_size_are_noticed_and_not_freed()
    {
        var source = new FakeBlockSource(divisible: true);
        Assert.True(source.TryAllocate(4 * Page, hugePages: false, out nint piece));
        Assert.True(source.TryAllocateRun(4, Page, hugePages: false, out nint run));
        source.Release(piece, Page);
        source.ReleaseRun(piece, 4, Page);
        source.ReleaseRun(run, 2, 2 * Page);
        source.ReleaseRun(run + Page, 4, Page);
        source.Release(run, 4 * Page);
        Assert.Equal((5, 8 * Page, 0), (source.Misuse.Length, source.LiveBytes, source.Frees));
        source.Release(piece, 4 * Page);
        source.ReleaseRun(run, 4, Page);
        Assert.Equal((5, 0, 2), (source.Misuse.Length, source.LiveBytes, source.Frees));
    }

    [Fact]
    public void Blocks_are_moved_with_what_is_in_them_and_fresh_ones_follow()
    {
        using var source = new FakeBlockSource(divisible: true);
        nint[] blocks = Scattered(source, 3);
        Assert.True(source.TryAssemble(blocks.AsSpan(0, 3), 2, Page, hugePages: false, out nint run));
        Assert.Equal([run, run + Page, run + (2 * Page)], blocks[..3]);
        Assert.Equal([1, 2, 3, 0, 0], Enumerable.Range(0, 5).Select(i => Content(run + (i * Page))));
        Assert.Equal((5 + 3) * Page, source.LiveBytes);
        Assert.Equal(3, source.Moves);
        source.ReleaseRun(run, 5, Page);
        Assert.Equal(3 * Page, source.LiveBytes);
    }

    [Fact]
    public void Blocks_that_lie_side_by_side_are_not_moved()
    {
        using var source = new FakeBlockSource(divisible: true);
        Assert.True(source.TryAllocateRun(3, Page, hugePages: false, out nint piece));
        nint[] blocks = [piece + Page, piece + (2 * Page), piece];
        Assert.True(source.TryAssemble(blocks, 0, Page, hugePages: false, out nint run));
        Assert.Equal((piece, 0), (run, source.Moves));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Move_that_fails_leaves_every_block_where_it_was(int k)
    {
        using var source = new FakeBlockSource(divisible: true);
        nint[] blocks = Scattered(source, 3);
        nint[] before = blocks[..3];
        long live = source.LiveBytes;
        source.FailMoveAt(k);
        Assert.False(source.TryAssemble(blocks.AsSpan(0, 3), 1, Page, hugePages: false, out _));
        Assert.Equal(before, blocks[..3].Order());

        // Those that had been moved are empty.
        Assert.Equal([.. Enumerable.Repeat(0, k - 1), .. Enumerable.Range(k, 4 - k)], before.Select(Content));
        Assert.Equal(live, source.LiveBytes);
        Assert.True(source.TryAssemble(blocks.AsSpan(0, 3), 1, Page, hugePages: false, out _));
    }

    [Fact]
    public void Misuse_of_divisible_memory_is_noticed()
    {
        var source = new FakeBlockSource(divisible: true);
        nint[] blocks = Scattered(source, 2);
        nint old = blocks[0];
        Assert.True(source.TryAssemble(blocks.AsSpan(0, 2), 0, Page, hugePages: false, out nint run));
        source.ReleaseRun(old, 1, Page);
        Assert.Contains("not all of which", Assert.Single(source.Misuse), StringComparison.Ordinal);
        source.ReleaseRun(run, 3, Page);
        Assert.Equal(2, source.Misuse.Length);
        nint[] gone = [old, run];
        Assert.False(source.TryAssemble(gone, 0, Page, hugePages: false, out _));
        Assert.Equal(3, source.Misuse.Length);

        // The old address comes round again: by then somebody wrote to it.
        *(byte*)old = 1;
        nint piece = 0;
        for (int i = 0; piece != old && i < 100_000; i++)
        {
            Assert.True(source.TryAllocate(Page, hugePages: false, out piece));
            source.Release(piece, Page);
        }

        Assert.Contains("moved away", source.Misuse[3], StringComparison.Ordinal);
        Assert.ThrowsAny<Exception>(source.Dispose);
    }

    // Blocks with something between them, which are marked 1, 2, 3, …; what is between them follows.
    private static nint[] Scattered(FakeBlockSource source, int count)
    {
        Assert.True(source.TryAllocateRun(2 * count, Page, hugePages: false, out nint piece));
        nint[] pages = [.. Enumerable.Range(0, 2 * count).OrderBy(static i => i % 2).Select(i => piece + (i * Page))];
        for (int i = 0; i < count; i++)
        {
            *(byte*)pages[i] = (byte)(i + 1);
        }

        return pages;
    }

    private static int Content(nint page) => *(byte*)page;
}
