using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Native;

namespace PixelPool.Tests.Allocations;

/// <summary>What each operation costs the garbage collector, exactly. A change of these constants is a change of the contract: at most 64 bytes per rent.</summary>
public sealed class AllocationTests : IDisposable
{
    /// <summary>The <see cref="PixelBuffer{TPixel}"/> object, whatever the number of blocks.</summary>
    private const int BufferBytes = 64;

    /// <summary>What a <see cref="System.Buffers.MemoryHandle"/> ends.</summary>
    private const int MemoryPinBytes = 32;

    /// <summary>The <see cref="PinnedPixels"/> object.</summary>
    private const int PinBytes = 56;

    /// <summary>The owner that <see cref="PixelAllocator.Allocate{T}"/> returns.</summary>
    private const int OwnerBytes = 48;

    /// <summary>A scope and what its rents know of it, at which waiting threads sleep; its list, with its array, once something is rented.</summary>
    private const int ScopeBytes = 64 + 48;
    private const int ScopeListBytes = 32 + 56;

    /// <summary>One segment of a sequence, the memory it shows, and what finds the segments.</summary>
    private const int SegmentBytes = 48 + 56 + 56;

    private readonly PixelAllocator _allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 1L << 30 });
    private readonly PixelAllocator _slabs = PixelAllocator.Create(new PixelAllocatorOptions
    {
        MaxPooledBytes = 1L << 30,
        SmallBuffers = SmallBufferStrategy.Slab,
    });

    public void Dispose()
    {
        _allocator.Dispose();
        _slabs.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(16)]
    [InlineData(64)]
    public void Rent_of_pooled_blocks(int blocks)
    {
        AllocationMeter.AssertAllocates(BufferBytes, () => Return(_allocator.Rent<uint>(1024, 1024 * blocks)));
        using PixelBuffer<uint> image = _allocator.Rent<uint>(1024, 1024 * blocks);
        Assert.Equal(blocks, image.BlockCount);
        Assert.NotEqual(0, _allocator.GetStatistics().Hits);
    }

    [Fact]
    public void Rents_of_changing_sizes()
    {
        int[] blocks = [1, 64, 3, 16, 2];
        AllocationMeter.AssertAllocates(BufferBytes * blocks.Length, () =>
        {
            foreach (int count in blocks)
            {
                Return(_allocator.Rent<uint>(1024, 1024 * count));
            }
        });
    }

    [Fact]
    public void Rent_of_small_array() => AllocationMeter.AssertAllocates(BufferBytes, () => Return(_allocator.Rent<uint>(100, 100)));

    [Fact]
    public void Rent_of_slab_piece() => AllocationMeter.AssertAllocates(BufferBytes, () => Return(_slabs.Rent<uint>(100, 100)));

    [Theory]
    [InlineData(2)]
    [InlineData(16)]
    [InlineData(64)]
    public void Rent_of_contiguous_blocks(int blocks)
    {
        AllocationMeter.AssertAllocates(BufferBytes, () => Return(_allocator.Rent<uint>(1024, 1024 * blocks, AllocationOptions.Contiguous)));
        Assert.Equal(0, _allocator.GetStatistics().UnpooledRents);
    }

    [Fact]
    public void Rents_of_changing_contiguous_sizes()
    {
        int[] blocks = [2, 64, 3, 16, 5];
        AllocationMeter.AssertAllocates(BufferBytes * 2 * blocks.Length, () =>
        {
            foreach (int count in blocks)
            {
                Return(_allocator.Rent<uint>(1024, 1024 * count, AllocationOptions.Contiguous));
                Return(_allocator.Rent<uint>(1024, 1024 * count));
            }
        });
    }

    [Fact]
    public void Rent_of_unpooled_memory()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 4 << 20 });
        AllocationMeter.AssertAllocates(BufferBytes, () => Return(allocator.Rent<uint>(2048, 1024, AllocationOptions.Contiguous)));
        AllocationMeter.AssertAllocates(BufferBytes, () => Return(allocator.Rent<uint>(1024, 4096)));
        Assert.NotEqual(0, allocator.GetStatistics().UnpooledRents);
    }

    [Fact]
    public void Rent_within_a_budget()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 1L << 30, MaxRentedBytes = 1L << 24 });
        AllocationMeter.AssertAllocates(BufferBytes, () => Return(allocator.Rent<uint>(1024, 4096)));
        AllocationMeter.AssertAllocates(0, () => Check(!allocator.TryRent<uint>(1024, 4097, out _)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(16)]
    [InlineData(64)]
    public void Lease_of_pooled_blocks(int blocks)
    {
        AllocationMeter.AssertAllocates(0, () => _allocator.Lease<uint>(1024, 1024 * blocks).Dispose());
        using PixelLease<uint> image = _allocator.Lease<uint>(1024, 1024 * blocks);
        Assert.Equal(blocks, image.BlockCount);
        Assert.NotEqual(0, _allocator.GetStatistics().Hits);
    }

    [Fact]
    public void Leases_of_every_other_tier()
    {
        AllocationMeter.AssertAllocates(0, () => _allocator.Lease<uint>(100, 100).Dispose());
        AllocationMeter.AssertAllocates(0, () => _slabs.Lease<uint>(100, 100).Dispose());
        AllocationMeter.AssertAllocates(0, () => _allocator.Lease<uint>(2048, 1024, AllocationOptions.Contiguous).Dispose());
        AllocationMeter.AssertAllocates(0, () => _allocator.Lease<uint>(2 << 20, 2).Dispose());
        AllocationMeter.AssertAllocates(0, () => _allocator.Lease<uint>(100, 100, AllocationOptions.Clean).Dispose());
    }

    [Fact]
    public void Lease_within_a_budget()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 1L << 30, MaxRentedBytes = 1L << 24 });
        AllocationMeter.AssertAllocates(0, () => allocator.Lease<uint>(1024, 4096).Dispose());
    }

    [Fact]
    public void Delegates_of_a_lease()
    {
        using PixelLease<uint> image = _allocator.Lease<uint>(1024, 2048);
        PixelLease<uint> lease = image;
        AllocationMeter.AssertAllocates(0, () => lease.ProcessPixelRows(static rows => rows.GetRowSpan(3)[0] = 1));
        AllocationMeter.AssertAllocates(0, () => lease.ProcessPixelRows(7u, static (rows, value) => rows.GetRowSpan(3)[0] = value));
        AllocationMeter.AssertAllocates(0, () => Check(!lease.IsDisposed));
        AllocationMeter.AssertAllocates(BufferBytes, () => Return(lease.AsBuffer()));
        AllocationMeter.AssertAllocates(0, () =>
        {
            using PixelLease<uint> small = _allocator.Lease<uint>(10, 10);
            small.ProcessPixelRows(static rows => rows.GetRowSpan(3)[0] = 1);
        });
    }

    [Fact]
    public void View_and_pin()
    {
        using PixelBuffer<uint> image = _allocator.Rent<uint>(1024, 4096);
        AllocationMeter.AssertAllocates(BufferBytes, () => Return(image.View(1, 2, 3, 4)));
        using PixelBuffer<uint> view = image.View(0, 2000, 1024, 40);
        AllocationMeter.AssertAllocates(PinBytes, () => Return(view.Pin()));
    }

    [Fact]
    public void Owner()
    {
        AllocationMeter.AssertAllocates(OwnerBytes, () => Return(_allocator.Allocate<byte>(1000)));
        AllocationMeter.AssertAllocates(OwnerBytes, () => Return(_allocator.Allocate<byte>(4 << 20)));
        using IMemoryOwner<byte> owner = _allocator.Allocate<byte>(4 << 20);
        AllocationMeter.AssertAllocates(0, () => owner.Memory.Span[5] = 1);
        AllocationMeter.AssertAllocates(MemoryPinBytes, () => owner.Memory.Pin().Dispose());
    }

    [Fact]
    public void Scope()
    {
        AllocationMeter.AssertAllocates(ScopeBytes, () => Return(new RentScope(_allocator)));
        AllocationMeter.AssertAllocates(ScopeBytes + ScopeListBytes + (2 * BufferBytes), () =>
        {
            using var scope = new RentScope(_allocator);
            Use(scope.Rent<uint>(1024, 1024));
            Use(scope.Rent<uint>(10, 10));
        });
    }

    /// <summary>Bytes that a scope with N images may cost: the published figures of an owner with N children, whose place it takes (SkiaSharp, issue 4182).</summary>
    [Theory]
    [InlineData(1, 720)]
    [InlineData(2, 768)]
    [InlineData(4, 896)]
    [InlineData(8, 1720)]
    [InlineData(16, 2104)]
    [InlineData(32, 2912)]
    [InlineData(64, 7688)]
    public void Scope_that_owns_images(int count, int lessThan)
    {
        // The list's arrays: 4 places, then twice as many whenever they are full.
        int lists = 0;
        for (int places = 4; places < 2 * count || places == 4; places *= 2)
        {
            lists += 24 + (places * 8);
        }

        int bytes = ScopeBytes + 32 + lists + (count * BufferBytes);
        Assert.InRange(bytes, 1, lessThan - 1);
        AllocationMeter.AssertAllocates(bytes, () =>
        {
            using var scope = new RentScope(_allocator);
            for (int i = 0; i < count; i++)
            {
                Use(scope.Rent<uint>(16, 16));
            }
        });
    }

    /// <summary>What a lease can do without an object: all but a pin, a buffer, and more than three images.</summary>
    [Fact]
    public void Members_of_a_lease()
    {
        uint[] pixels = new uint[64 * 64];
        byte[] bytes = new byte[64 * 64 * 4];
        AllocationMeter.AssertAllocates(0, () =>
        {
            using PixelLease<uint> lease = _allocator.Lease<uint>(1024, 1024);
            using PixelLease<uint> other = _allocator.Lease<uint>(64, 64);
            PixelLease<uint> view = lease.View(1, 2, 64, 64);
            view.Fill(3);
            view.Clear();
            view[1, 1] = lease[2, 3] + 1;
            view.CopyTo(other);
            view.CopyFrom(other);
            view.CopyTo(pixels);
            view.CopyFrom(pixels);
            view.CopyTo(bytes, 256);
            view.CopyFrom(bytes, 256);
            view.ProcessPixelRows(other, static (a, b) => a[0, 0] = b[0, 0]);
            view.ProcessPixelRows(other, 1u, static (a, b, one) => a[0, 0] = b[0, 0] + one);
            view.ProcessPixelRows(other, lease, static (a, b, c) => a[0, 0] = b[0, 0] + c[0, 0]);
            other.FilterPixelRows(lease, static (band, source) => band[0, 0] = source[0, 0]);
            other.FilterPixelRows(lease, 1u, static (band, source, one) => band[0, 0] = source[0, 0] + one);
            view.ProcessPixelRows(other, lease, 1u, static (a, b, c, one) => a[0, 0] = b[0, 0] + c[0, 0] + one);
            other.TryProcessSinglePixelSpan(static span => span[0] = 1);
            Assert.True(lease.DangerousGetAddress() != 0);
            Assert.True(lease.HeldBytes != 0);
        });
    }

    [Fact]
    public void Lease_that_is_tried_or_awaited_where_there_is_room() => AllocationMeter.AssertAllocates(0, () =>
    {
        Assert.True(_allocator.TryLease(1024, 1024, out PixelLease<uint> lease));
        using PixelLease<uint> awaited = _allocator.LeaseAsync<uint>(1024, 1024).Result;
        lease.Dispose();
    });

    [Fact]
    public void Buffer_borrowed_as_a_lease()
    {
        using PixelBuffer<uint> buffer = _allocator.Rent<uint>(1024, 1024);
        AllocationMeter.AssertAllocates(0, () => buffer.AsLease().View(0, 0, 4, 4).Fill(1));
    }

    [Fact]
    public void Leases_of_a_scope_are_no_objects()
    {
        const int LeaseList = 32 + 24 + (4 * 16);
        AllocationMeter.AssertAllocates(ScopeBytes + LeaseList, () =>
        {
            using var scope = new RentScope(_allocator);
            scope.Lease<uint>(1024, 1024);
            scope.Lease<uint>(10, 10);
        });
    }

    [Fact]
    public void Thousand_updates_of_a_displayed_frame() => AllocationMeter.AssertAllocates(0, () =>
    {
        PixelLease<uint> shown = _allocator.Lease<uint>(1024, 1024);
        for (uint i = 0; i < 1000; i++)
        {
            PixelLease<uint> next = _allocator.Lease<uint>(1024, 1024);
            next.ProcessPixelRows(i, static (rows, value) => rows.GetRowSpan(0)[0] = value);
            shown.Dispose();
            shown = next;
        }

        shown.Dispose();
    });

    [Fact]
    public void Delegates()
    {
        using PixelBuffer<uint> image = _allocator.Rent<uint>(1024, 2048);
        using PixelBuffer<ushort> other = _allocator.Rent<ushort>(1024, 100);
        using PixelBuffer<byte> third = _allocator.Rent<byte>(10, 10);
        AllocationMeter.AssertAllocates(0, () => image.ProcessPixelRows(static rows => rows.GetRowSpan(3)[0] = 1));
        AllocationMeter.AssertAllocates(0, () => image.ProcessPixelRows(7u, static (rows, value) => rows.GetRowSpan(3)[0] = value));
        AllocationMeter.AssertAllocates(0, () => image.ProcessPixelRows(
            other, static (a, b) => a.GetRowSpan(1500)[0] = b.GetRowSpan(0)[0]));
        AllocationMeter.AssertAllocates(0, () => image.ProcessPixelRows(
            other, 7u, static (a, b, value) => a.GetRowSpan(1500)[0] = b.GetRowSpan(0)[0] + value));
        AllocationMeter.AssertAllocates(0, () => image.ProcessPixelRows(
            other, third, static (a, b, c) => a.GetRowSpan(1500)[0] = (uint)b.GetRowSpan(0)[0] + c.GetRowSpan(0)[0]));
        AllocationMeter.AssertAllocates(0, () => image.ProcessPixelRows(
            other, third, 7u, static (a, b, c, value) => a.GetRowSpan(1500)[0] = (uint)b.GetRowSpan(0)[0] + c.GetRowSpan(0)[0] + value));
        AllocationMeter.AssertAllocates(0, () => other.FilterPixelRows(image, static (band, source) => band.GetRowSpan(3)[0] = (ushort)source.GetRowSpanClamped(-1)[0]));
        AllocationMeter.AssertAllocates(0, () => other.FilterPixelRows(image.AsReadOnly(), static (band, source) => band.GetRowSpan(3)[0] = (ushort)source.GetRowSpanClamped(-1)[0]));
        AllocationMeter.AssertAllocates(0, () => image.AsReadOnly().ProcessPixelRows(7u, static (accessor, value) => { _ = accessor.GetRowSpan(3)[0] + value; }));
        AllocationMeter.AssertAllocates(0, () => image.AsReadOnly().ProcessPixelRows(7u, static (accessor, value) => accessor.GetRowSpan(3)[0] + value));
        AllocationMeter.AssertAllocates(0, () => other.FilterPixelRows(image, 7u, static (band, source, value) => band.GetRowSpan(3)[0] = (ushort)(source.GetRowSpan(1500)[0] + value)));
        AllocationMeter.AssertAllocates(0, () => third.TryProcessSinglePixelSpan(static pixels => pixels.Clear()));
        AllocationMeter.AssertAllocates(0, () => image[5, 5] = image[6, 6]);
        AllocationMeter.AssertAllocates(0, () => image.DangerousGetRowSpan(1500)[0] = 1);
    }

    [Fact]
    public void Copies_and_streams()
    {
        using PixelBuffer<uint> image = _allocator.Rent<uint>(16, 16, AllocationOptions.Clean);
        using PixelBuffer<uint> other = _allocator.Rent<uint>(16, 16);
        uint[] pixels = new uint[16 * 20];
        AllocationMeter.AssertAllocates(0, () => image.Fill(1));
        AllocationMeter.AssertAllocates(0, image.Clear);
        AllocationMeter.AssertAllocates(0, () => image.CopyTo(pixels));
        AllocationMeter.AssertAllocates(0, () => image.CopyFrom(pixels, 20));
        AllocationMeter.AssertAllocates(0, () => image.CopyTo(other));
        AllocationMeter.AssertAllocates(0, () => image.WriteTo(Stream.Null));
        AllocationMeter.AssertAllocates(SegmentBytes, () => Check(image.AsReadOnlySequence().Length == 1024));
    }

    [Fact]
    public void Trimming_and_statistics()
    {
        AllocationMeter.AssertAllocates(0, () => _allocator.Trim());
        AllocationMeter.AssertAllocates(0, () => _allocator.TrimTo(100));
        AllocationMeter.AssertAllocates(0, () => _allocator.GetStatistics());
    }

    /// <summary>One block stays, so that the places of the others do. Where all went, the next rent needs a region, which is an object and an array.</summary>
    [Fact]
    public void Trim_of_something_and_the_rent_after_it()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            MaxPooledBytes = 1L << 30,
            UseHugePages = false,
            BlockSource = OperatingSystem.IsLinux() && IntPtr.Size == 8 ? new LinuxBlockSource(new LinuxKernel()) : null,
        });
        Return(allocator.Rent<uint>(1024, 8192));
        using PixelBuffer<uint> held = allocator.Rent<uint>(1024, 1024);
        Check(allocator.Trim() == 28 << 20);
        AllocationMeter.AssertAllocates(BufferBytes, () =>
        {
            Return(allocator.Rent<uint>(1024, 4096));
            Check(allocator.Trim() == 16 << 20);
        });
    }

    [Fact]
    public void Bare_blocks()
    {
        using var pool = new UniformUnmanagedMemoryPool();
        AllocationMeter.AssertAllocates(0, () =>
        {
            Span<nint> blocks = stackalloc nint[4];
            Check(pool.TryRent(blocks));
            pool.Return(blocks);
        });
    }

    // Not inlined: what is returned must not be found out to stay on the stack.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Return(IDisposable owner) => owner.Dispose();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Use(object owner) => GC.KeepAlive(owner);

    // An assertion that allocates nothing itself.
    private static void Check(bool holds)
    {
        if (!holds)
        {
            throw new InvalidOperationException("The operation did not do what is measured.");
        }
    }
}
