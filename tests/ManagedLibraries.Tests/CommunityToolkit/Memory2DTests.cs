using System.Buffers;
using System.Runtime.CompilerServices;
using CommunityToolkit.HighPerformance;

namespace ManagedLibraries.Tests.CommunityToolkit;

/// <summary>Images as <c>Memory2D</c> and <c>Span2D</c>, and the other way round: nothing is copied.</summary>
public sealed class Memory2DTests : IDisposable
{
    private readonly PixelAllocator _allocator = PixelAllocator.Create();

    public void Dispose()
    {
        Assert.Equal(0, _allocator.GetStatistics().RentedBytes);
        _allocator.Dispose();
    }

    [Fact]
    public void An_image_without_gaps()
    {
        using PixelBuffer<float> image = _allocator.Rent<float>(640, 480, AllocationOptions.Contiguous);
        image.Clear();
        (Memory2D<float> all, Memory2D<float> part) = Get(image);
        all.Span[479, 639] = 7;
        part.Span.Fill(5);
        Assert.Equal((7, 5, 5), (image[639, 479], image[100, 50], image[299, 149]));
        Assert.Equal((0, 0, 0, 0), (image[99, 50], image[300, 149], image[100, 49], image[299, 150]));

        static (Memory2D<float> All, Memory2D<float> Part) Get(PixelBuffer<float> image)
        {
            #region docs/recipes.md
            if (!image.DangerousTryGetSinglePixelMemory(out Memory<float> memory))
            {
                throw new NotSupportedException("The rows lie in several blocks, or have gaps between them.");
            }

            Memory2D<float> all = memory.AsMemory2D(image.Height, image.Width);
            Memory2D<float> part = all.Slice(row: 50, column: 100, height: 100, width: 200);
            #endregion

            return (all, part);
        }
    }

    [Fact]
    public void A_memory_that_outlives_its_image_says_so()
    {
        PixelBuffer<float> image = _allocator.Rent<float>(64, 48, AllocationOptions.Contiguous);
        Assert.True(image.DangerousTryGetSinglePixelMemory(out Memory<float> memory));
        Memory2D<float> all = memory.AsMemory2D(image.Height, image.Width);
        image.Dispose();
        Assert.Throws<ObjectDisposedException>(() => all.Span[0, 0]);
    }

    [Fact]
    public unsafe void An_image_with_gaps()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { RowAlignmentBytes = 64 });
        using PixelBuffer<float> image = allocator.Rent<float>(1001, 700, AllocationOptions.Contiguous);
        image.Clear();
        Assert.False(image.DangerousTryGetSinglePixelMemory(out _));

        #region docs/recipes.md
        using (PinnedPixels pin = image.Pin())
        {
            int pitch = (pin.Stride / sizeof(float)) - pin.Width;
            var pixels = new Span2D<float>(pin.Pointer, pin.Height, pin.Width, pitch);
            pixels.GetColumn(1000).Fill(1);
        }
        #endregion

        Assert.Equal((1, 1, 0), (image[1000, 0], image[1000, 699], image[999, 699]));
    }

    [Fact]
    public void Memory_of_an_array_is_an_image()
    {
        float[,] array = new float[480, 640];
        AssertIsImageOf(array);
        Assert.Equal((1, 2), (array[0, 0], array[479, 639]));
    }

    [Fact]
    public void Memory_with_gaps_is_an_image()
    {
        float[] array = new float[100 * 100];
        AssertIsImageOf(new Memory2D<float>(array, offset: 205, height: 50, width: 70, pitch: 30));
        Assert.Equal((1, 2), (array[205], array[205 + (49 * 100) + 69]));
        Assert.Equal((0, 0), (array[204], array[205 + 70]));
    }

    [Fact]
    public void A_slice_is_an_image()
    {
        float[,] array = new float[480, 640];
        AssertIsImageOf(new Memory2D<float>(array).Slice(10, 20, 30, 40));
        Assert.Equal((1, 2), (array[10, 20], array[39, 59]));
    }

    [Fact]
    public void A_single_row_is_an_image()
    {
        float[,] array = new float[1, 640];
        AssertIsImageOf(array);
        Assert.Equal((1, 2), (array[0, 0], array[0, 639]));
    }

    [Fact]
    public void Pooled_memory_is_an_image_again()
    {
        using IMemoryOwner<float> owner = _allocator.Allocate<float>(100 * 100);
        owner.Memory.Span.Clear();
        AssertIsImageOf(owner.Memory.AsMemory2D(offset: 205, height: 50, width: 70, pitch: 30));
        Assert.Equal((1, 2), (owner.Memory.Span[205], owner.Memory.Span[205 + (49 * 100) + 69]));
    }

    [Fact]
    public void A_slice_of_pooled_memory_is_an_image()
    {
        using PixelBuffer<float> image = _allocator.Rent<float>(64, 48, AllocationOptions.Contiguous);
        Assert.True(image.DangerousTryGetSinglePixelMemory(out Memory<float> memory));
        AssertIsImageOf(memory.AsMemory2D(48, 64).Slice(10, 20, 30, 40));
        Assert.Equal((1, 2), (image[20, 10], image[59, 39]));
    }

    [Fact]
    public void Memory_that_was_not_wrapped_is_not_pinned()
    {
        var memory = new CountedMemory();
        Assert.Throws<ObjectDisposedException>(() =>
        {
            PixelAllocator ended = PixelAllocator.Create();
            ended.Dispose();
            Wrap(ended, new Memory2D<float>(memory, 4, 4)).Dispose();
        });
        Assert.Equal(0, memory.Pins);
        using (Wrap(_allocator, new Memory2D<float>(memory, 4, 4)))
        {
            Assert.Equal(1, memory.Pins);
        }

        Assert.Equal(0, memory.Pins);
    }

    private void AssertIsImageOf(Memory2D<float> memory)
    {
        using PixelBuffer<float> image = Wrap(_allocator, memory);
        Assert.Equal((memory.Width, memory.Height), (image.Width, image.Height));
        image[0, 0] = 1;
        image[image.Width - 1, image.Height - 1] = 2;
        Assert.Equal((1, 2), (memory.Span[0, 0], memory.Span[memory.Height - 1, memory.Width - 1]));
    }

    #region docs/recipes.md
    private static unsafe PixelBuffer<T> Wrap<T>(PixelAllocator allocator, Memory2D<T> memory)
        where T : unmanaged
    {
        MemoryHandle pin = memory.Pin();
        try
        {
            Span2D<T> rows = memory.Span;
            nint address = (nint)Unsafe.AsPointer(ref rows[0, 0]); // that of the pin lacks the offset of a slice
            int stride = rows.Height > 1 ? (int)Unsafe.ByteOffset(ref rows[0, 0], ref rows[1, 0]) : rows.Width * sizeof(T);
            return allocator.Wrap<T>(address, rows.Width, rows.Height, stride, _ => pin.Dispose());
        }
        catch
        {
            pin.Dispose(); // nothing was wrapped: Wrap calls nothing then
            throw;
        }
    }
    #endregion
}
