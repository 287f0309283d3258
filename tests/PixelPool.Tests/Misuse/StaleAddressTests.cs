using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Tests.FixedBlocks;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse;

#pragma warning disable PXP001 // What holds the memory is kept to the end of the test, by nobody.

/// <summary>
/// Addresses that were never given out, or that are somebody else's by now. They carry no version, as images and leases do: what can be known of an address is known, and the rest changes
/// no account.
/// </summary>
public sealed unsafe class StaleAddressTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private static readonly byte[] s_array = GC.AllocateArray<byte>(2 * Block, pinned: true);

    private readonly TestSystem _system = new(new FakeBlockSource(divisible: true, divisibleBytes: 8 << 20));
    private readonly UniformUnmanagedMemoryPool _pool;
    private readonly FixedBlockAllocator<long> _objects;
    private readonly PixelAllocator _allocator;

    public StaleAddressTests()
    {
        _pool = _system.CreatePool();
        _objects = new FixedBlockAllocator<long>(_pool);
        _allocator = _system.CreateAllocator(configure: static options => options.SmallBuffers = SmallBufferStrategy.Slab);
    }

    public static TheoryData<string> Foreign => [.. s_foreign.Keys];

    private static readonly Dictionary<string, Func<StaleAddressTests, nint>> s_foreign = new()
    {
        ["an array"] = static _ => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(s_array)),
        ["a page of an array"] = static _ => ((nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(s_array)) + 4095) & -4096,
        ["the stack"] = static _ => Here(),
        ["the first pixel of an image"] = static test => test.AddressOf(test._allocator.Lease<byte>(Block, 1)),
        ["a piece of a slab"] = static test => test.AddressOf(test._allocator.Lease<byte>(100, 10)),
        ["the second block of contiguous memory"] = static test => test.AddressOf(test._allocator.Lease<byte>(Block, 3, AllocationOptions.Contiguous)) + Block,
        ["an object in a block of this pool"] = static test => test.ObjectOfPool(),
        ["the middle of a block"] = static test => test._pool.Rent(1)[0] + (Block / 2),
        ["the last byte of a block"] = static test => test._pool.Rent(1)[0] + Block - 1,
        ["the end of a block"] = static test => test._pool.Rent(1)[0] + Block,
        ["before a block"] = static test => test._pool.Rent(1)[0] - 1,
        ["a block of a disposed pool"] = static test =>
        {
            UniformUnmanagedMemoryPool gone = test._system.CreatePool();
            nint block = gone.Rent(1)[0];
            gone.Dispose();
            gone.Return([block]);
            return block;
        },
        ["a block that went back to the system"] = static test =>
        {
            nint block = test._pool.MakeIdle(1)[0];
            test._pool.Trim();
            return block;
        },
        ["nothing"] = static _ => 0,
        ["the last address"] = static _ => -1,
        ["the end of the address space"] = static _ => nint.MaxValue,
        ["its beginning"] = static _ => nint.MinValue,
    };

    public void Dispose()
    {
        _objects.Dispose();
        _allocator.Dispose();
        _pool.Dispose();
        _system.Dispose();
    }

    [Theory]
    [MemberData(nameof(Foreign))]
    public void A_pool_takes_back_only_its_own_blocks(string foreign)
    {
        nint[] mine = _pool.Rent(2);
        nint address = s_foreign[foreign](this);
        (PixelPoolStatistics pool, PixelPoolStatistics allocator) = (_pool.GetStatistics(), _allocator.GetStatistics());
        Assert.Throws<InvalidMemoryOperationException>(() => _pool.Return([address]));
        Assert.Throws<InvalidMemoryOperationException>(() => _pool.Return([mine[0], address, mine[1]]));
        Assert.Equal((pool, allocator), (_pool.GetStatistics(), _allocator.GetStatistics()));
        _pool.Return(mine);
        Assert.Throws<InvalidMemoryOperationException>(() => _pool.Return([address]));
    }

    [Theory]
    [MemberData(nameof(Foreign))]
    public void Checked_frees_take_back_only_their_own_objects(string foreign)
    {
        nint address = s_foreign[foreign](this);
        using var objects = new FixedBlockAllocator<Sized.Of32>(_pool, checksFrees: true);
        using var ofAllocator = new FixedBlockAllocator<Sized.Of1000>(_allocator, checksFrees: true);
        nint item = (nint)objects.Allocate();
        nint large = (nint)ofAllocator.Allocate();
        if (address != 0)
        {
            Assert.Throws<InvalidMemoryOperationException>(() => objects.Free((Sized.Of32*)address));
            Assert.Throws<InvalidMemoryOperationException>(() => ofAllocator.Free((Sized.Of1000*)address));
        }

        Assert.Throws<InvalidMemoryOperationException>(() => objects.Free((Sized.Of32*)large));
        Assert.Throws<InvalidMemoryOperationException>(() => ofAllocator.Free((Sized.Of1000*)item));
        for (int offset = 1; offset < sizeof(Sized.Of1000); offset++)
        {
            Assert.Throws<InvalidMemoryOperationException>(() => ofAllocator.Free((Sized.Of1000*)(large + offset)));
            Assert.Throws<InvalidMemoryOperationException>(() => ofAllocator.Free((Sized.Of1000*)(large - offset)));
        }

        Assert.Equal((1, 1), (objects.Count, ofAllocator.Count));
        objects.Free((Sized.Of32*)item);
        ofAllocator.Free((Sized.Of1000*)large);
        Assert.Equal((0, 0), (objects.Count, ofAllocator.Count));
    }

    /// <summary>Nobody can tell its second return from the first one of the next renter. That one's return is found, and no block is in two rents.</summary>
    [Fact]
    public void A_block_that_was_rented_again_is_returned_for_the_next_renter()
    {
        nint stale = _pool.Rent(1)[0];
        _pool.Return([stale]);
        nint next = _pool.Rent(1)[0];
        Assert.Equal(stale, next);
        _pool.Return([stale]);
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 1);
        Assert.Throws<InvalidMemoryOperationException>(() => _pool.Return([next]));
        StatisticsAssert.Blocks(_pool, rented: 0, idle: 1);
        nint[] blocks = _pool.Rent(3);
        Assert.Equal(3, blocks.Distinct().Count());
        _pool.Return(blocks);
    }

    /// <summary>The same of objects. A block counts the objects that are out, whoever freed them.</summary>
    [Fact]
    public void An_object_that_was_allocated_again_is_freed_for_the_next_owner()
    {
        using var objects = new FixedBlockAllocator<Sized.Of32>(_pool, checksFrees: true);
        Sized.Of32* stale = objects.Allocate();
        objects.Free(stale);
        Sized.Of32* next = objects.Allocate();
        Assert.True(stale == next);
        objects.Free(stale);
        Assert.Throws<InvalidMemoryOperationException>(() => objects.Free(next));
        Assert.Equal(0, objects.Count);
        var items = new HashSet<nint>();
        for (int i = 0; i < 100; i++)
        {
            Assert.True(items.Add((nint)objects.Allocate()), "An object is in two hands.");
        }
    }

    /// <summary>Its block was emptied and is an image, or full of other objects, when it is freed again.</summary>
    [Fact]
    public void An_object_whose_block_is_somebody_elses_is_found()
    {
        using var objects = new FixedBlockAllocator<Sized.Of32>(_allocator, checksFrees: true);
        using var others = new FixedBlockAllocator<Sized.Of32>(_allocator, checksFrees: true);
        Sized.Of32* stale = objects.Allocate();
        objects.Free(stale);
        objects.Trim();

        // The system of this test gives places that are free again only when there are no others: here it is the same place because all others are taken.
        using var scope = new RentScope(_allocator);
        bool taken = false;
        for (int i = 0; i < 60 && !taken; i++)
        {
            PixelLease<byte> image = scope.Lease<byte>(Block, 1);
            image.Fill(0x5A);
            nint start = image.DangerousGetAddress();
            taken = (nint)stale >= start && (nint)stale < start + Block;
            Assert.Throws<InvalidMemoryOperationException>(() => objects.Free(stale));
            Assert.Throws<InvalidMemoryOperationException>(() => others.Free(stale));
            Assert.True(RentedHandle.Of(image).Holds!(0x5A));
        }

        Assert.Equal(0, objects.Count);
        Assert.Throws<InvalidMemoryOperationException>(() => objects.Free(stale));
        objects.Dispose();
        Assert.Throws<ObjectDisposedException>(() => objects.Free(stale));
    }

    [Fact]
    public void An_object_of_a_block_that_another_heap_has_now_is_found()
    {
        using var objects = new FixedBlockAllocator<Sized.Of32>(_pool, checksFrees: true);
        using var others = new FixedBlockAllocator<Sized.Of32>(_pool, checksFrees: true);
        Sized.Of32* stale = objects.Allocate();
        objects.Clear();
        Sized.Of32* next = others.Allocate();
        Assert.True(stale == next, "The pool gave another block: this tests nothing.");
        *next = default;
        Assert.Throws<InvalidMemoryOperationException>(() => objects.Free(stale));
        Assert.Equal((0, 1), (objects.Count, others.Count));
        others.Free(next);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static nint Here()
    {
        long local = 0;
        return (nint)(&local);
    }

    // Held to the end of the test.
    private nint AddressOf(PixelLease<byte> lease) => lease.DangerousGetAddress();

    private nint ObjectOfPool() => (nint)_objects.Allocate();
}
