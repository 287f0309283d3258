using PixelPool.Native;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Native.Linux;

namespace PixelPool.Tests.Guarded;

/// <summary>What ended stays closed for a while, and goes then: addresses are not lost, whatever ends when.</summary>
public sealed class QuarantineTests
{
    private const int MostRents = 64;

    private readonly FailingKernel _kernel = new();

    public QuarantineTests() => Assert.SkipUnless(OperatingSystem.IsLinux() && IntPtr.Size == 8, "the system calls are those of Linux");

    [Fact]
    public void It_keeps_so_many_and_all_go_with_the_allocator()
    {
        PixelAllocator allocator = Create();
        for (int i = 1; i <= 3 * MostRents; i++)
        {
            allocator.Rent<byte>(100, i).Dispose();
            Assert.Equal(Math.Min(i, MostRents), _kernel.GuardedMappings);
        }

        PixelBuffer<byte> late = allocator.Rent<byte>(100, 100);
        allocator.Dispose();
        Assert.Equal(1, _kernel.GuardedMappings);
        late.Dispose();
        Assert.Equal((0, 0L), (_kernel.GuardedMappings, allocator.GetStatistics().RentedBytes));
    }

    [Fact]
    public void It_keeps_so_many_bytes_or_one_rent()
    {
        using PixelAllocator allocator = Create();
        for (int i = 0; i < 6; i++)
        {
            allocator.Rent<byte>(10_000, 10_000).Dispose();
            Assert.Equal(Math.Min(i + 1, 2), _kernel.GuardedMappings);
        }

        allocator.Rent<byte>(20_000, 20_000).Dispose();
        Assert.Equal(1, _kernel.GuardedMappings);
        for (int i = 0; i < 10; i++)
        {
            allocator.Rent<byte>(100, 100).Dispose();
        }

        Assert.Equal(10, _kernel.GuardedMappings);
    }

    /// <summary>Where addresses count, as with <c>ulimit -v</c>: what is kept to find mistakes must not be all there is.</summary>
    [Fact]
    public void It_goes_when_the_system_has_nothing_else()
    {
        using PixelAllocator allocator = Create();
        allocator.Rent<byte>(20_000, 20_000).Dispose();
        _kernel.MostBytes = _kernel.Mapped.Bytes + (300 << 20);
        allocator.Rent<byte>(20_000, 20_000).Dispose();
        _kernel.MostBytes = long.MaxValue;
        Assert.Equal(0, _kernel.GuardedMappings);
    }

#if !LIBRARY_NETSTANDARD // that build counts no pages
    [Fact]
    public void It_has_no_memory()
    {
        var source = new LinuxBlockSource(_kernel);
        nint bytes = 64 * Environment.SystemPageSize;
        nint pages = source.AllocateGuarded(bytes, hugePages: true);
        Assert.NotEqual(0, pages);
        BlockSource.Clear(pages, bytes);
        Assert.True(source.TryCountPages(pages, bytes, out long resident, out _));
        Assert.Equal(bytes, resident);
        Assert.True(source.TryCloseGuarded(pages, bytes));
        Assert.True(source.TryCountPages(pages, bytes, out resident, out _));
        Assert.Equal(0, resident);
        source.Release(pages, bytes);
        Assert.Equal(0, _kernel.GuardedMappings);
    }
#endif

    /// <summary>Protection and advice: what stays open, or keeps its memory, goes at once.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void What_cannot_be_closed_is_not_kept(int call)
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<byte> image = allocator.Rent<byte>(100, 100);
        _kernel.FailAt(call, later: false);
        image.Dispose();
        Assert.Equal((0, 0L), (_kernel.GuardedMappings, allocator.GetStatistics().RentedBytes));
        allocator.Rent<byte>(100, 100).Dispose();
        Assert.Equal(1, _kernel.GuardedMappings);
    }

    /// <summary>The system may keep the pages, as it does where memory is locked.</summary>
    [Fact]
    public unsafe void It_is_cleared_before_it_is_closed_if_the_allocator_clears()
    {
        using PixelAllocator allocator = Create(static options => options.ClearOnReturn = true);
        int seen = 0;
        _kernel.Closing = (address, bytes) => seen += new ReadOnlySpan<byte>((void*)address, (int)bytes).Count((byte)0x77);
        PixelBuffer<byte> image = allocator.Rent<byte>(100, 100);
        image.Fill(0x77);
        image.Dispose();
        Assert.Equal(0, seen);
        _kernel.Closing = null;
    }

    [Fact]
    public void Rents_of_an_allocator_that_nobody_disposes_go_too()
    {
        Forget();
        for (int i = 0; i < 50 && _kernel.GuardedMappings != 0; i++)
        {
            Collector.CollectAll();
        }

        Assert.Equal(0, _kernel.GuardedMappings);
    }

    [Fact]
    [Trait("Category", "Long")]
    public void Threads_that_rent_and_return_at_once_lose_none()
    {
        int seed = Environment.TickCount;
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        PixelAllocator allocator = Create();
        Parallel.For(0, 4, thread =>
        {
            var random = new Random(seed + thread);
            var held = new PixelBuffer<byte>?[8];
            for (int i = 0; i < 2000; i++)
            {
                int place = random.Next(held.Length);
                held[place]?.Dispose();
                held[place] = allocator.Rent<byte>(random.Next(1, 300), random.Next(1, 300));
                held[place]!.Fill((byte)thread);
            }

            Array.ForEach(held, static image => image?.Dispose());
        });
        Assert.InRange(_kernel.GuardedMappings, 1, MostRents);
        allocator.Dispose();
        Assert.Equal((0, 0L), (_kernel.GuardedMappings, allocator.GetStatistics().RentedBytes));
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private void Forget()
    {
        PixelAllocator allocator = Create();
        allocator.Rent<byte>(100, 100).Dispose();
#pragma warning disable PXP001 // It is forgotten.
        _ = allocator.Rent<byte>(200, 100);
#pragma warning restore PXP001
        Assert.Equal(2, _kernel.GuardedMappings);
    }

    private PixelAllocator Create(Action<PixelAllocatorOptions>? configure = null)
    {
        var options = new PixelAllocatorOptions { GuardedRentSampling = 1, TrimPolicy = TrimPolicy.None, BlockSource = new LinuxBlockSource(_kernel) };
        configure?.Invoke(options);
        return PixelAllocator.Create(options);
    }
}
