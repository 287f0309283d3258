using System.Buffers;
using System.Runtime.InteropServices;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Allocation;

/// <summary>One contiguous memory of exactly as many elements as were asked for.</summary>
public unsafe class MemoryOwnerTests
{
    private static readonly int[] s_lengths = [1, 2, 7, 1000, 4095, 4096, 4097, 16_384, 16_385, 65_536, 65_537, 300_000];

    public static TheoryData<int, int> Cases
    {
        get
        {
            var data = new TheoryData<int, int>();
            foreach (int elementBytes in PixelTypes.Sizes)
            {
                foreach (int length in s_lengths)
                {
                    data.Add(elementBytes, length);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void The_memory_has_exactly_the_length_and_holds_what_was_written(int elementBytes, int length) =>
        PixelTypes.Call(elementBytes, RoundTrip<byte>, length);

    [Theory]
    [InlineData(10)]
    [InlineData(10_000)]
    [InlineData(100_000)]
    public void The_span_is_always_the_same(int length)
    {
        using PixelAllocator allocator = Create();
        using IMemoryOwner<long> owner = allocator.Allocate<long>(length);
        ref long first = ref MemoryMarshal.GetReference(owner.Memory.Span);
        Assert.True(System.Runtime.CompilerServices.Unsafe.AreSame(ref first, ref MemoryMarshal.GetReference(owner.Memory.Span)));
        Assert.True(owner.Memory.Span == owner.Memory.Span);
        Assert.Throws<IndexOutOfRangeException>(() => owner.Memory.Span[length] = 1);
        Assert.Throws<IndexOutOfRangeException>(() => owner.Memory.Span[-1] = 1);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(10_000)]
    [InlineData(100_000)]
    public void The_memory_throws_after_its_owner_was_disposed(int length)
    {
        using PixelAllocator allocator = Create();
        IMemoryOwner<long> owner = allocator.Allocate<long>(length);
        Memory<long> memory = owner.Memory;
        ReadOnlyMemory<long> slice = memory[1..5];
        owner.Dispose();
        owner.Dispose();
        using IMemoryOwner<long> next = allocator.Allocate<long>(length);
        Assert.Throws<ObjectDisposedException>(() => owner.Memory);
        Assert.Throws<ObjectDisposedException>(() => memory.Span[0]);
        Assert.Throws<ObjectDisposedException>(() => slice.Span[0]);
        Assert.Throws<ObjectDisposedException>(() => memory.Pin());
        Assert.Throws<ObjectDisposedException>(() => memory.CopyTo(new long[length]));
        Assert.Equal(length, memory.Length);
        next.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(10_000)]
    [InlineData(100_000)]
    public void A_handle_outlives_its_owner(int length)
    {
        using PixelAllocator allocator = Create();
        IMemoryOwner<long> owner = allocator.Allocate<long>(length);
        owner.Memory.Span.Fill(-7);
        using (MemoryHandle handle = owner.Memory.Pin())
        {
            owner.Dispose();
            Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
            Assert.False(new ReadOnlySpan<long>(handle.Pointer, length).ContainsAnyExcept(-7));
        }

        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(10_000)]
    [InlineData(100_000)]
    public void The_memory_can_be_pinned_again_and_again(int length)
    {
        using PixelAllocator allocator = Create();
        IMemoryOwner<long> owner = allocator.Allocate<long>(length);
        MemoryHandle first = owner.Memory.Pin();
        MemoryHandle second = owner.Memory[1..].Pin();
        Assert.True((long*)first.Pointer + 1 == (long*)second.Pointer);
        void* address = first.Pointer;
        first.Dispose();
        *(long*)second.Pointer = 42;
        second.Dispose();

        MemoryHandle third = owner.Memory.Pin();
        Assert.True(address == third.Pointer);
        Assert.Equal(42, ((long*)third.Pointer)[1]);
        third.Dispose();
        third.Dispose();
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);

        owner.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_pin_that_is_disposed_twice_ends_no_later_one()
    {
        using PixelAllocator allocator = Create();
        IMemoryOwner<byte> owner = allocator.Allocate<byte>(5 << 20);
        MemoryHandle first = owner.Memory.Pin();
        MemoryHandle copyOfFirst = first;
        first.Dispose();
        MemoryHandle second = owner.Memory.Pin();
        copyOfFirst.Dispose();
        owner.Dispose();
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        *(byte*)second.Pointer = 1;
        second.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void A_pin_that_is_disposed_twice_ends_no_other_of_the_same_time()
    {
        using PixelAllocator allocator = Create();
        IMemoryOwner<byte> owner = allocator.Allocate<byte>(5 << 20);
        MemoryHandle first = owner.Memory.Pin();
        MemoryHandle second = owner.Memory.Pin();
        MemoryHandle third = owner.Memory.Pin();
        MemoryHandle copyOfFirst = first;
        MemoryHandle copyOfThird = third;
        first.Dispose();
        copyOfFirst.Dispose();
        third.Dispose();
        copyOfThird.Dispose();
        owner.Dispose();
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        *(byte*)second.Pointer = 1;
        second.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void An_unpin_without_a_pin_does_nothing()
    {
        using PixelAllocator allocator = Create();
        using IMemoryOwner<byte> owner = allocator.Allocate<byte>(100);
        Assert.True(MemoryMarshal.TryGetMemoryManager<byte, MemoryManager<byte>>(owner.Memory, out MemoryManager<byte>? manager));
        manager.Unpin();
        manager.Unpin();
        owner.Memory.Span.Fill(1);
        manager.Pin(99).Dispose();
        manager.Pin(100).Dispose();
        manager.Unpin();
        Assert.Equal(100, owner.Memory.Span.Count((byte)1));
        Assert.Throws<ArgumentOutOfRangeException>(() => manager.Pin(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => manager.Pin(101));
    }

    [Fact]
    public void A_pinned_array_stays_where_it_is_when_the_heap_is_compacted()
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.Array);
        options.ArrayPool = new DirtyArrayPool();
        using PixelAllocator allocator = PixelAllocator.Create(options);
        object garbage = new byte[1000];
        using IMemoryOwner<int> owner = allocator.Allocate<int>(500);
        owner.Memory.Span.Fill(5);
        using MemoryHandle handle = owner.Memory.Pin();
        GC.KeepAlive(garbage);
        garbage = null!;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
        fixed (int* now = owner.Memory.Span)
        {
            Assert.True(now == handle.Pointer);
        }

        Assert.False(new Span<int>(handle.Pointer, 500).ContainsAnyExcept(5));
    }

    private static void RoundTrip<T>(int length)
        where T : unmanaged
    {
        using PixelAllocator allocator = Create();
        for (int i = 0; i < 2; i++)
        {
            using IMemoryOwner<T> clean = allocator.Allocate<T>(length, AllocationOptions.Clean);
            Assert.Equal(length, clean.Memory.Length);
            Assert.Equal(length, clean.Memory.Span.Length);
            Assert.False(MemoryMarshal.AsBytes(clean.Memory.Span).ContainsAnyExcept((byte)0));
            T[] expected = PixelPattern.Expected<T>(length, 1);
            expected.CopyTo(clean.Memory);
            using IMemoryOwner<T> other = allocator.Allocate<T>(length);
            MemoryMarshal.AsBytes(other.Memory.Span).Fill(0xDD);
            PixelPattern.AssertSame<T>(expected, clean.Memory.Span);
        }

        TierSizes.AssertQuiet(allocator);
    }

    private static PixelAllocator Create() => TierSizes.Create(MemoryTier.SeveralBlocks);
}
