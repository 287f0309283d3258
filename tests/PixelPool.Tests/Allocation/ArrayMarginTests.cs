using System.Buffers;
using PixelPool.Pooling;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tiers;

namespace PixelPool.Tests.Allocation;

/// <summary>Small images lie in arrays so that bytes beside them can be read.</summary>
public unsafe class ArrayMarginTests
{
    private const int Page = 4096;

    /// <summary>Where the array begins in its page, bytes of the rent, and of the array; and whether all that is beside the rent lies in pages of the array.</summary>
    public static TheoryData<int, int, int, bool> Places => new()
    {
        { 64, 1000, 1000, true },
        { 63, 1000, 1000, false },
        { 16, 1000, 1000, false },

        // The object begins in the page before.
        { 8, 1000, 1000, true },
        { 0, 1000, 1000, true },
        { Page - 1064, 1000, 1000, true },
        { Page - 1063, 1000, 1000, false },
        { Page - 1000, 1000, 1000, false },
        { Page - 999, 1000, 1000, true },
        { Page - 1000, 1000, 1001, true },
        { Page - 1000, 936, 1000, true },
        { Page - 1000, 937, 1000, false },
        { 64, 2 * Page, 2 * Page, true },
        { 0, 2 * Page, 2 * Page, false },
    };

    /// <summary>Where an array of exactly the asked length lies in its pages.</summary>
    public static TheoryData<int, bool> Ends => new() { { 0, true }, { Page - 32, true }, { 64, false } };

    [Theory]
    [MemberData(nameof(Places))]
    public void Bytes_beside_a_rent_are_looked_for_in_the_pages_of_its_array(int place, int bytes, int length, bool expected)
    {
        Assert.SkipUnless(IntPtr.Size == 8, "The first words of an object are smaller.");
        Assert.Equal(expected, ArrayMargin.IsReadable((1L << 40) + place, bytes, length));
    }

    [Theory]
    [InlineData(128, 64)]
    [InlineData(127, 0)]
    public void Rent_in_a_longer_array_lies_inside_of_it(int more, int expected)
    {
        byte[] array = new byte[1000 + more];
        bool found = ArrayMargin.TryFind(array, 1000, out int offset);
        Assert.Equal(expected, offset);
        Assert.True(found || more < 128);
    }

    [Theory]
    [MemberData(nameof(Ends))]
    public void Array_that_ends_where_its_page_does_is_exchanged(int end, bool exchanged)
    {
        var pool = new PlacedArrayPool((address, length) => (address + length) % Page == end && address % Page >= 64);
        AssertRent(pool, exchanged);
    }

    [Fact]
    public void Array_that_begins_where_its_page_does_is_exchanged() =>
        AssertRent(new PlacedArrayPool(static (address, length) => address % Page is >= 16 and < 64), exchanged: true);

    [Fact]
    public void Exchange_that_fails_takes_nothing()
    {
        var pool = new PlacedArrayPool(IsAtEnd) { Further = static length => new byte[length - 1] };
        AssertRefused<InvalidMemoryOperationException>(pool);

        // The one that is too short is the loss of the pool.
        Assert.Equal(2, pool.Rented.Count);
        Assert.Equal(pool.Rented.Take(1), pool.Returned);
        AssertRefused<InvalidTimeZoneException>(new PlacedArrayPool(IsAtEnd) { Failure = new InvalidTimeZoneException() });
    }

    [Fact]
    public void Nothing_is_read_or_written_before_the_offset_of_a_rent()
    {
        var pool = new RecyclingArrayPool();
        pool.Return(Fill(pool.Rent(5000), 0x77));
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ArrayPool = pool, ClearOnReturn = true });
        PixelBuffer<byte> image = allocator.Rent<byte>(70, 60, AllocationOptions.Clean);
        byte[] array = pool.LastRented!;
        Assert.False(array.AsSpan(64, 70 * 60).ContainsAnyExcept((byte)0));
        PixelPattern.Write(image);
        PixelPattern.AssertHolds(image);
        Assert.Equal(array[64..(64 + (70 * 60))], image.AsReadOnlySequence().ToArray());
        using (PinnedPixels pin = image.Pin())
        {
            Assert.Equal(PlacedArrayPool.AddressOf(array) + 64, (nint)pin.Pointer);
        }

        Assert.True(image.DangerousTryGetSinglePixelMemory(out Memory<byte> memory));
        Assert.True(memory.Span.Overlaps(array, out int before) && before == -64);
        image.Dispose();
        Assert.False(array.AsSpan(64, 70 * 60).ContainsAnyExcept((byte)0));
        Assert.False(array.AsSpan(0, 64).ContainsAnyExcept((byte)0x77));
        Assert.False(array.AsSpan(64 + (70 * 60)).ContainsAnyExcept((byte)0x77));
    }

    private static bool IsAtEnd(nint address, int length) => (address + length) % Page == 0;

    private static void AssertRefused<TException>(PlacedArrayPool pool)
        where TException : Exception
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ArrayPool = pool, MaxRentedBytes = Page });
        PixelPoolStatistics before = allocator.GetStatistics();
        Assert.Throws<TException>(() => allocator.Rent<byte>(4000, 1));
        Assert.Equal(before, allocator.GetStatistics());
        Assert.Empty(allocator.GetOutstandingRents());
    }

    private static byte[] Fill(byte[] array, byte value)
    {
        array.AsSpan().Fill(value);
        return array;
    }

    private static void AssertRent(PlacedArrayPool pool, bool exchanged)
    {
        const int Bytes = 4000;
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ArrayPool = pool });
        using (PixelBuffer<byte> image = allocator.Rent<byte>(Bytes, 1))
        using (PinnedPixels pin = image.Pin())
        {
            Assert.Equal(exchanged ? [Bytes, Bytes + 128] : [Bytes], pool.Rented.Select(static array => array.Length));
            Assert.Equal(exchanged ? [pool.Rented[0]] : [], pool.Returned);
            Assert.Equal(PlacedArrayPool.AddressOf(pool.Rented[^1]) + (exchanged ? 64 : 0), (nint)pin.Pointer);
            Assert.Equal(pool.Rented[^1].Length, allocator.GetStatistics().RentedBytes);
            PixelPattern.Write(image);
            PixelPattern.AssertHolds(image);
        }

        Assert.Equal(pool.Rented, pool.Returned);
        StatisticsAssert.Balanced(allocator.GetStatistics());
    }
}
