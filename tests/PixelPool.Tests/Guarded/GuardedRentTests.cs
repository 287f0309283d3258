using System.Buffers;
using PixelPool.Native;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Native.Linux;

namespace PixelPool.Tests.Guarded;

/// <summary>Every rent is guarded: it behaves as others do, is counted exactly, and ends where a page ends.</summary>
public sealed class GuardedRentTests : IDisposable
{
    private readonly PixelAllocator _allocator;

    public GuardedRentTests()
    {
        GuardedSystem.SkipElsewhere();
        _allocator = Create(static _ => { });
    }

    public void Dispose()
    {
        if (_allocator is not null)
        {
            PixelPoolStatistics statistics = _allocator.GetStatistics();
            Assert.Equal((0L, 0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.LeakedCount));
            _allocator.Dispose();
        }
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(13, 7)]
    [InlineData(1024, 1)]
    [InlineData(4096, 3)]
    [InlineData(4097, 3)]
    [InlineData(3000, 2000)]
    public void An_image_ends_where_a_page_ends(int width, int height)
    {
        using PixelBuffer<Rgb24> image = _allocator.Rent<Rgb24>(width, height);
        long bytes = 3L * width * height;
        using (PinnedPixels pin = image.Pin())
        {
            Assert.Equal(0, (pin.Address + (nint)bytes) % Environment.SystemPageSize);
        }

        image.ProcessPixelRows(static rows =>
        {
            foreach (Span<Rgb24> row in rows)
            {
                Assert.Equal(-1, row.IndexOfAnyExcept(default(Rgb24)));
            }
        });
        PixelPattern.Write(image);
        PixelPattern.AssertHolds(image);
        Assert.Equal((bytes, bytes, 1, true), (image.HeldBytes, _allocator.GetStatistics().RentedBytes, image.BlockCount, image.IsContiguous));
        Assert.InRange(image.HeldBytes, 1, _allocator.GetHeldBytes<Rgb24>(width, height));
    }

    /// <summary>Also where it begins at an odd address.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(4095)]
    [InlineData(4097)]
    public void Memory_of_any_length_can_be_used(int length)
    {
        AssertCanBeUsed(length, (byte)3);
        AssertCanBeUsed(length, new Rgb24(1, 2, 3));
    }

    [Fact]
    public async Task Whatever_is_rented_is_guarded()
    {
        using var scope = new RentScope(_allocator);
        using PixelBuffer<byte> image = _allocator.Rent<byte>(100, 30);
        using PixelLease<byte> lease = _allocator.Lease<byte>(100, 30);
        Assert.True(_allocator.TryRent(100, 30, out PixelBuffer<byte>? tried));
        using PixelBuffer<byte> awaited = await _allocator.RentAsync<byte>(100, 30, cancellationToken: TestContext.Current.CancellationToken);
        using IMemoryOwner<byte> owner = _allocator.Allocate<byte>(3000);
        using PixelBuffer<byte> inScope = scope.Rent<byte>(100, 30);
        using PlanarImage planes = _allocator.RentPlanar(PlanarLayout.Yuv420(100, 20));
        tried.Dispose();
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        Assert.Equal((7L, 7L), (statistics.Rents, statistics.UnpooledRents));
        Assert.Equal(6L * 3000, statistics.RentedBytes);
        Assert.Equal(6L * 3000, statistics.AllocatedBytes - statistics.ReleasedBytes);
        using PinnedPixels pin = inScope.Pin();
        Assert.Equal(0, (pin.Address + 3000) % Environment.SystemPageSize);
    }

    [Fact]
    public void Rows_are_aligned_as_they_are_elsewhere()
    {
        using PixelAllocator aligned = Create(static options => options.RowAlignmentBytes = 256);
        using PixelBuffer<byte> image = aligned.Rent<byte>(300, 5);
        using PinnedPixels pin = image.Pin();
        Assert.Equal((512, 0), (pin.Stride, pin.Address % 256));
    }

    [Fact]
    public void No_bytes_are_a_rent_too()
    {
        using IMemoryOwner<byte> owner = _allocator.Allocate<byte>(0);
        Assert.Equal((0, 1L), (owner.Memory.Length, _allocator.GetStatistics().RentedBytes));
    }

    [Fact]
    public void Bad_input_has_the_errors_that_it_has_elsewhere()
    {
        Assert.Throws<ArgumentOutOfRangeException>("width", () => _allocator.Rent<byte>(0, 1));
        Assert.Throws<ArgumentOutOfRangeException>("height", () => _allocator.Rent<byte>(1, -1));
        Assert.Throws<InvalidMemoryOperationException>(() => _allocator.Rent<decimal>(int.MaxValue, 1));
        Assert.Throws<InvalidMemoryOperationException>(() => _allocator.Rent<byte>(int.MaxValue, int.MaxValue));
        Assert.Throws<ArgumentOutOfRangeException>(() => _allocator.Allocate<byte>(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => _allocator.Rent<byte>(1, 1, (AllocationOptions)128));
        PixelAllocator disposed = Create(static _ => { });
        disposed.Dispose();
        Assert.Throws<ObjectDisposedException>(() => disposed.Rent<byte>(1, 1));
    }

    /// <summary>The system would give such addresses, and end the process when they are used.</summary>
    [Fact]
    public void What_is_more_than_all_memory_is_refused_as_elsewhere()
    {
        using PixelAllocator small = Create(static options => options.MemoryPressure = new ManualMemoryPressure { AvailableBytes = 1L << 30 });
        Assert.Throws<OutOfMemoryException>(() => small.Rent<byte>(1 << 20, 1536));
        Assert.Throws<OutOfMemoryException>(() => small.Allocate<byte>(1536 << 20));
        Assert.Equal((0L, 0L), (small.GetStatistics().RentedBytes, small.GetStatistics().AllocatedBytes));
    }

    [Fact]
    public void A_budget_counts_it_and_refuses_it()
    {
        using PixelAllocator budgeted = Create(static options => options.MaxRentedBytes = 10_000);
        using (budgeted.Rent<byte>(100, 60))
        {
            Assert.Equal(6000, budgeted.GetStatistics().ChargedBytes);
            Assert.False(budgeted.TryRent(100, 60, out PixelBuffer<byte>? _));
            using PixelBuffer<byte> fits = budgeted.Rent<byte>(100, 40);
            Assert.Equal(10_000, budgeted.GetStatistics().ChargedBytes);
        }

        Assert.Equal((0L, 1L), (budgeted.GetStatistics().ChargedBytes, budgeted.GetStatistics().BudgetRefusals));
    }

    /// <summary>The mapping, or the protection of one of its ends. Then the rent is one like the others.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void What_the_system_refuses_is_not_guarded(int call)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the system calls are those of Linux");
        var kernel = new FailingKernel();
        using PixelAllocator refused = Create(options => options.BlockSource = new LinuxBlockSource(kernel));
        kernel.FailAt(call, later: false);
        using (PixelBuffer<byte> image = refused.Rent<byte>(1000, 1000))
        {
            PixelPattern.Write(image);
            Assert.Equal(0, refused.GetStatistics().UnpooledRents);
        }

        Assert.Equal((0L, 0), (refused.GetStatistics().RentedBytes, kernel.GuardedMappings));
    }

    /// <summary>Each takes mappings, of which a process has so many, however many allocators it has.</summary>
    [Fact]
    [Trait("Category", "Long")]
    public void So_many_at_once_are_guarded_and_no_more() => ChildProcess.Run(RentSoMany);

    private static void RentSoMany()
    {
        const int Most = 4096;
        var options = new PixelAllocatorOptions { GuardedRentSampling = 1, LeakTracking = LeakTracking.Off };
        using PixelAllocator first = PixelAllocator.Create(options);
        using PixelAllocator second = PixelAllocator.Create(options);
        for (int round = 1; round <= 2; round++)
        {
            using var one = new RentScope(first);
            using var other = new RentScope(second);
            for (int i = 0; i < (Most / 2) + 5; i++)
            {
                one.Lease<byte>(10, 10);
                other.Lease<byte>(10, 10);
            }

            PixelPoolStatistics[] statistics = [first.GetStatistics(), second.GetStatistics()];
            Assert.Equal((round * Most, round * 10), (statistics.Sum(static one => one.UnpooledRents), statistics.Sum(static one => one.SmallRents)));
        }
    }

    [Fact]
    public void About_one_rent_in_so_many()
    {
        using PixelAllocator sampled = Create(static options => options.GuardedRentSampling = 50);
        for (int i = 0; i < 50_000; i++)
        {
            sampled.Lease<byte>(16, 16).Dispose();
        }

        Assert.InRange(sampled.GetStatistics().UnpooledRents, 850, 1150);
        Assert.Equal(50_000, sampled.GetStatistics().Rents);
    }

    [Fact]
    public void Another_allocator_does_not_change_how_many()
    {
        using PixelAllocator often = Create(static options => options.GuardedRentSampling = 2);
        using PixelAllocator seldom = Create(static options => options.GuardedRentSampling = 1_000_000);
        for (int i = 0; i < 2000; i++)
        {
            often.Lease<byte>(16, 16).Dispose();
            seldom.Lease<byte>(16, 16).Dispose();
        }

        Assert.InRange(often.GetStatistics().UnpooledRents, 850, 1150);
        Assert.InRange(seldom.GetStatistics().UnpooledRents, 0, 3);
    }

    [Fact]
    public void Views_and_delegates_hold_it_open()
    {
        PixelBuffer<byte> image = _allocator.Rent<byte>(100, 30);
        using (PixelBuffer<byte> view = image.View(10, 10, 5, 5))
        {
            image.Dispose();
            view.Fill(9);
            Assert.Equal(9, view[4, 4]);
        }

        image = _allocator.Rent<byte>(100, 30);
        image.ProcessPixelRows(rows =>
        {
            image.Dispose();
            rows.GetRowSpan(29).Fill(1);
        });
    }

    private void AssertCanBeUsed<T>(int length, T value)
        where T : unmanaged
    {
        using IMemoryOwner<T> owner = _allocator.Allocate<T>(length);
        owner.Memory.Span.Fill(value);
        Assert.Equal((length, -1), (owner.Memory.Length, owner.Memory.Span.IndexOfAnyExcept(value)));
    }

    private static PixelAllocator Create(Action<PixelAllocatorOptions> configure)
    {
        var options = new PixelAllocatorOptions { GuardedRentSampling = 1, TrimPolicy = TrimPolicy.None };
        configure(options);
        return PixelAllocator.Create(options);
    }
}
