using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>Small images lie in arrays so that bytes beside them can be read.</summary>
public unsafe class ArrayMarginTests
{
    private const int Margin = 64;

    /// <param name="bytes">Also such as fill an array of a usual length.</param>
    [Theory]
    [InlineData(1)]
    [InlineData(1000)]
    [InlineData(4096)]
    [InlineData(1 << 18)]
    public void Array_has_room_to_read_on_both_sides(int bytes)
    {
        var pool = new RecyclingArrayPool();
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ArrayPool = pool });
        using PixelBuffer<byte> image = allocator.Rent<byte>(bytes, 1);
        using PinnedPixels pin = image.Pin();
        byte[] array = pool.LastRented!;
        Assert.Equal(AddressOf(array) + Margin, (nint)pin.Pointer);
        Assert.Equal(bytes + (2 * Margin), array.Length);
        Assert.Equal(array.Length, image.HeldBytes);
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
            Assert.Equal(AddressOf(array) + 64, (nint)pin.Pointer);
        }

        Assert.True(image.DangerousTryGetSinglePixelMemory(out Memory<byte> memory));
        Assert.True(memory.Span.Overlaps(array, out int before) && before == -64);
        image.Dispose();
        Assert.False(array.AsSpan(64, 70 * 60).ContainsAnyExcept((byte)0));
        Assert.False(array.AsSpan(0, 64).ContainsAnyExcept((byte)0x77));
        Assert.False(array.AsSpan(64 + (70 * 60)).ContainsAnyExcept((byte)0x77));
    }

    private static nint AddressOf(byte[] array) => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array));

    private static byte[] Fill(byte[] array, byte value)
    {
        array.AsSpan().Fill(value);
        return array;
    }
}
