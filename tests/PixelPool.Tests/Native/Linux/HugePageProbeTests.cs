using PixelPool.Native;
using PixelPool.Tests.Pooling.Runs;

namespace PixelPool.Tests.Native.Linux;

/// <summary>New blocks ask for huge pages where these are fast, and for small ones where the host has to provide huge ones first.</summary>
public sealed class HugePageProbeTests : IDisposable
{
    private const int Block = 4 << 20;
    private const int HugePage = 2 << 20;

    // Longer than new blocks ask for small pages, after which a page is tried.
    private static readonly TimeSpan s_later = TimeSpan.FromSeconds(2);

    private readonly HugePageHost _host = new();
    private readonly SteppingClock _clock = new();
    private readonly PixelAllocator _allocator;
    private readonly List<PixelBuffer<byte>> _held = [];

    public HugePageProbeTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Memory of Linux is mapped.");
        _allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            MaxPooledBytes = 256L * Block,
            SmallBuffers = SmallBufferStrategy.None,
            TrimPolicy = TrimPolicy.None,
            BlockSource = new LinuxBlockSource(_host, _clock),
        });
    }

    public void Dispose()
    {
        _held.ForEach(static image => image.Dispose());
        _allocator.Dispose();
    }

    [Fact]
    public void Where_they_are_fast_all_blocks_ask_for_huge_pages_and_few_are_touched()
    {
        for (int i = 0; i < 200; i++)
        {
            Rent(Block);
        }

        Assert.All(_host.Asked, static asked => Assert.True(asked.Huge));
        Assert.InRange(_host.Touched.Count, 40, 60);
    }

    [Fact]
    public void Where_they_are_slow_new_blocks_ask_for_small_pages_after_two()
    {
        _host.Takes = static _ => HugePageHost.Slow;
        nint first = Rent(Block);
        Assert.Equal([first, first + HugePage], _host.Touched);
        for (int i = 0; i < 20; i++)
        {
            nint block = Rent(Block);
            Assert.False(_host.IsHuge(block));
            Assert.False(_host.IsHuge(block + Block - 1));
        }

        Assert.Equal(2, _host.Touched.Count);
    }

    [Fact]
    public void What_was_not_touched_of_an_image_gets_small_pages_when_they_turn_out_to_be_slow()
    {
        _host.Takes = static _ => HugePageHost.Slow;
        nint image = Rent(16 * Block, AllocationOptions.Contiguous);
        Assert.Equal(2, _host.Touched.Count);
        for (nint page = image; page < image + (16 * Block); page += HugePage)
        {
            Assert.False(_host.IsHuge(page));
        }
    }

    [Fact]
    public void Memory_that_is_not_pooled_is_touched_as_well()
    {
        _host.Takes = static _ => HugePageHost.Slow;
        nint image = Rent(512 << 20, AllocationOptions.Contiguous);
        Assert.Equal([image, image + HugePage], _host.Touched);
        Assert.False(_host.IsHuge(image + (256 << 20)));
        Assert.False(_host.IsHuge(Rent(Block)));
    }

    [Fact]
    public void A_single_slow_page_changes_nothing()
    {
        _host.Takes = static page => page == 4 ? HugePageHost.Slow : HugePageHost.Fast;
        for (int i = 0; i < 20; i++)
        {
            Rent(Block);
        }

        Assert.All(_host.Asked, static asked => Assert.True(asked.Huge));
    }

    [Fact]
    public void After_a_while_one_page_is_tried_again()
    {
        _host.Takes = static _ => HugePageHost.Slow;
        Rent(Block);
        for (int i = 3; i < 10; i++)
        {
            _clock.Step(s_later);
            Rent(Block);
            Rent(Block);
            Assert.Equal(i, _host.Touched.Count);
            Assert.False(_host.IsHuge(Rent(Block)));
        }
    }

    [Fact]
    public void Blocks_ask_for_huge_pages_again_when_these_became_fast()
    {
        _host.Takes = static page => page <= 3 ? HugePageHost.Slow : HugePageHost.Fast;
        Rent(Block);
        _clock.Step(s_later);
        Rent(Block);
        Assert.False(_host.IsHuge(Rent(Block)));
        _clock.Step(s_later);
        Rent(Block);
        for (int i = 0; i < 20; i++)
        {
            Assert.True(_host.IsHuge(Rent(Block)));
        }
    }

    [Fact]
    public void A_host_without_the_clock_keeps_huge_pages()
    {
        _host.Takes = static _ => 0;
        for (int i = 0; i < 20; i++)
        {
            Assert.True(_host.IsHuge(Rent(Block)));
        }
    }

    [Fact]
    public void A_clock_that_is_set_back_stops_them_no_longer()
    {
        _host.Takes = static page => page <= 2 ? HugePageHost.Slow : HugePageHost.Fast;
        Rent(Block);
        _clock.Step(-TimeSpan.FromDays(1));
        Assert.True(_host.IsHuge(Rent(Block)));
    }

    [Theory]
    [InlineData(HugePage - 4096, 0)]
    [InlineData(HugePage, 1)]
    [InlineData(Block - 4096, 1)]
    [InlineData(Block + (100 << 10), 2)]
    public void Pages_that_the_image_does_not_fill_are_not_touched(int bytes, int touched)
    {
        _host.Takes = static _ => HugePageHost.Slow;
        Rent(bytes, AllocationOptions.Contiguous);
        Assert.Equal(touched, _host.Touched.Count);
    }

    [Fact]
    public void Memory_that_is_not_fresh_is_not_touched()
    {
        using (_allocator.Rent<byte>(Block, 1))
        {
        }

        int touched = _host.Touched.Count;
        for (int i = 0; i < 100; i++)
        {
            using PixelBuffer<byte> image = _allocator.Rent<byte>(Block, 1);
        }

        Assert.Equal(touched, _host.Touched.Count);
    }

    [Fact]
    public void Without_the_option_small_pages_are_asked_for_and_nothing_is_touched()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { UseHugePages = false, BlockSource = new LinuxBlockSource(_host, _clock) });
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1);
        Assert.All(_host.Asked, static asked => Assert.False(asked.Huge));
        Assert.NotEmpty(_host.Asked);
        Assert.Empty(_host.Touched);
    }

    /// <summary>A large one would take hundreds of page faults, in the one request of many that is guarded.</summary>
    [Theory]
    [InlineData(HugePageHost.Fast, true)]
    [InlineData(HugePageHost.Slow, false)]
    public void Pages_of_a_guarded_rent_are_huge_where_they_are_fast(long takes, bool areHuge)
    {
        _host.Takes = _ => takes;
        var source = new LinuxBlockSource(_host, _clock);
        Assert.True(source.TryAllocate(Block, hugePages: true, out nint block));
        source.OfferHugePages(block, block + Block, block + Block);
        source.OfferHugePages(block, block + Block, block + Block);
        nint pages = source.AllocateGuarded(Block, hugePages: true);
        Assert.Equal((areHuge, areHuge), (_host.IsHuge(pages), _host.IsHuge(pages + Block - 1)));
        source.Release(pages, Block);
        source.Release(block, Block);
    }

    [Fact]
    public void A_touch_is_timed_in_processor_time_of_the_thread()
    {
        var kernel = new LinuxKernel();
        var source = new LinuxBlockSource(kernel);
        Assert.True(source.TryAllocate(Block, hugePages: false, out nint address));
        try
        {
            long took = kernel.Touch(address);
            Assert.InRange(took, 1, (long)TimeSpan.FromSeconds(10).TotalNanoseconds);
            Assert.True(!source.TryCountPages(address, Block, out long resident, out _) || resident > 0);
        }
        finally
        {
            source.Release(address, Block);
        }
    }

    private nint Rent(int bytes, AllocationOptions options = AllocationOptions.None)
    {
        PixelBuffer<byte> image = _allocator.Rent<byte>(4096, bytes / 4096, options);
        _held.Add(image);
        return RunSystem.AddressOf(image);
    }

    private sealed class SteppingClock : TimeProvider
    {
        private long _now = 1_000 * TimeSpan.TicksPerDay;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _now;

        public void Step(TimeSpan by) => _now += by.Ticks;
    }
}
