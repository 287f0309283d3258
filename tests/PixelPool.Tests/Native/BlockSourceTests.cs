using PixelPool.Native;

namespace PixelPool.Tests.Native;

/// <summary>What every source of the real system promises.</summary>
[Trait("Category", "Long")]
public unsafe class BlockSourceTests
{
    private const int HugePageBytes = 2 << 20;

    /// <summary>Portable or not, bytes, huge pages.</summary>
    public static TheoryData<bool, long, bool> Pieces
    {
        get
        {
            var data = new TheoryData<bool, long, bool>();
            foreach (bool portable in new[] { false, true })
            {
                foreach (long bytes in new long[]
                {
                    1, 100, 4095, 4096, 4097, 64 << 10, HugePageBytes - 1, HugePageBytes, HugePageBytes + 1, (3 << 20) + 5, 4 << 20, (32 << 20) - 4096, 32 << 20,
                })
                {
                    data.Add(portable, bytes, true);
                    data.Add(portable, bytes, false);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void Piece_is_aligned_writable_to_its_last_byte_and_zero_where_promised(bool portable, long bytes, bool hugePages)
    {
        BlockSource source = Source(portable);
        Assert.True(source.TryAllocate(bytes, hugePages, out nint address));
        try
        {
            Assert.NotEqual(0, address);
            Assert.Equal(0, address % BlockSource.AlignmentBytes);
            if (source.IsZeroed && bytes >= HugePageBytes && OperatingSystem.IsLinux())
            {
                Assert.Equal(0, address % HugePageBytes);
            }

            // Ends the process where they cannot be read.
            _ = new ReadOnlySpan<byte>((byte*)address - BlockSource.MarginBytes, BlockSource.MarginBytes).Count((byte)1);
            _ = new ReadOnlySpan<byte>((byte*)address + bytes, BlockSource.MarginBytes).Count((byte)1);
            var span = new Span<byte>((void*)address, (int)bytes);
            if (source.IsZeroed)
            {
                Assert.Equal(-1, span.IndexOfAnyExcept((byte)0));
            }

            span.Fill(0xAB);
            Assert.Equal(-1, span.IndexOfAnyExcept((byte)0xAB));
        }
        finally
        {
            source.Release(address, bytes);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Pieces_that_live_together_do_not_overlap(bool portable)
    {
        BlockSource source = Source(portable);
        var random = new Random(7);
        var pieces = new List<(nint Address, int Bytes)>();
        for (int i = 0; i < 60; i++)
        {
            int bytes = random.Next(1, 5 << 20);
            Assert.True(source.TryAllocate(bytes, hugePages: false, out nint address));
            pieces.Add((address, bytes));
            if (i % 3 == 2)
            {
                // Holes, so that later pieces start at odd places.
                source.Release(pieces[i / 3].Address, pieces[i / 3].Bytes);
                pieces.RemoveAt(i / 3);
                i++;
                Assert.True(source.TryAllocate(4096, hugePages: false, out address));
                pieces.Add((address, 4096));
            }
        }

        pieces.Sort();
        Assert.All(pieces.Zip(pieces.Skip(1)), static pair => Assert.True(pair.First.Address + pair.First.Bytes <= pair.Second.Address));
        foreach ((nint address, int bytes) in pieces)
        {
            *(byte*)address = 1;
            *(byte*)(address + bytes - 1) = 2;
        }

        pieces.ForEach(piece => source.Release(piece.Address, piece.Bytes));
    }

    [Fact]
    public void Fresh_memory_of_the_system_is_zero_also_where_released_memory_was()
    {
        BlockSource source = BlockSource.System;
        Assert.SkipUnless(source.IsZeroed, "The system has no source of its own.");
        for (int i = 0; i < 10; i++)
        {
            Assert.True(source.TryAllocate(4 << 20, hugePages: true, out nint address));
            var span = new Span<byte>((void*)address, 4 << 20);
            Assert.Equal(-1, span.IndexOfAnyExcept((byte)0));
            span.Fill(0xFF);
            source.Release(address, 4 << 20);
        }
    }

    [Theory]
    [InlineData(false, 1L << 46)]
    [InlineData(false, (1L << 46) + 1)]
    [InlineData(false, long.MaxValue)]
    [InlineData(true, 1L << 46)]
    [InlineData(true, long.MaxValue)]
    public void Absurd_size_is_refused(bool portable, long bytes)
    {
        Assert.False(Source(portable).TryAllocate(bytes, hugePages: true, out nint address));
        Assert.Equal(0, address);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Blocks_come_and_go_in_any_order_and_grouping(bool portable)
    {
        const int Block = 64 << 10;
        BlockSource source = Source(portable);
        var random = new Random(11);
        List<nint> live = [];
        for (int i = 0; i < 200; i++)
        {
            nint[] blocks = new nint[random.Next(1, 5)];
            Assert.True(source.TryAllocateBlocks(blocks, Block, hugePages: false));
            live.AddRange(blocks);
            foreach (nint block in blocks)
            {
                new Span<byte>((void*)block, Block).Fill(1);
            }

            nint[] released = [.. live.Where(_ => random.Next(3) == 0)];
            source.ReleaseBlocks(released, Block);
            live = [.. live.Except(released)];
        }

        Assert.Equal(live.Count, live.Distinct().Count());
        source.ReleaseBlocks([.. live], Block);
    }

    [Fact]
    public void System_source_says_it_is_zeroed_where_the_kernel_maps_pages()
    {
#if LIBRARY_NETSTANDARD
        Assert.Equal(OperatingSystem.IsLinux() && IntPtr.Size == 8, BlockSource.System.IsZeroed);
#else
        Assert.Equal(OperatingSystem.IsLinux() || OperatingSystem.IsWindows(), BlockSource.System.IsZeroed);
#endif
        Assert.False(new PortableBlockSource().IsZeroed);
    }

    [Fact]
    public void Clear_goes_past_two_gibibytes()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && IntPtr.Size == 8, "Only pages that are written cost memory here.");
        Assert.SkipWhen(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes < 8L << 30, "Clearing touches 2 GiB.");
        const long Bytes = (1L << 31) + 4096;
        Assert.True(BlockSource.System.TryAllocate(Bytes, hugePages: true, out nint address));
        long[] places = [0, (1 << 30) - 1, 1 << 30, (1L << 31) - 1, 1L << 31, Bytes - 2, Bytes - 1];
        foreach (long place in places)
        {
            ((byte*)address)[place] = 1;
        }

        BlockSource.Clear(address, Bytes - 1);
        Assert.Equal([Bytes - 1], places.Where(place => ((byte*)address)[place] != 0));
        BlockSource.System.Release(address, Bytes);
    }

    private static BlockSource Source(bool portable) => portable ? new PortableBlockSource() : BlockSource.System;
}
