using System.IO.MemoryMappedFiles;
using System.Runtime.CompilerServices;

namespace PixelPool.Tests.Buffers.Wrapping;

/// <summary>Memory that must not be written, and that would end the process if it were.</summary>
public sealed class ReadOnlyMemoryTests : IDisposable
{
    private const int Width = 300;
    private const int Height = 200;

    private readonly string _file = Path.Combine(Path.GetTempPath(), $"pixelpool-{Guid.NewGuid():N}.raw");

    public void Dispose() => File.Delete(_file);

    [Fact]
    public void A_string_is_an_image_of_characters()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using (ReadOnlyPixelBuffer<char> image = allocator.Wrap("abcdefghi".AsMemory(1), 4, 2))
        {
            GC.Collect();
            Assert.Equal(('b', 'i'), (image[0, 0], image[3, 1]));
        }

        Assert.Equal((0L, 0L), (allocator.GetStatistics().ExternalBytes, allocator.GetStatistics().LeakedCount));
        Assert.Throws<ArgumentException>(() => allocator.Wrap("abc".AsMemory(), 2, 2));
        Assert.Throws<ArgumentOutOfRangeException>(() => allocator.Wrap("abc".AsMemory(), 0, 2));
    }

    [Fact]
    public void It_is_charged_if_asked_for()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 1000 });
        ReadOnlyMemory<byte> memory = new byte[1001];
        Assert.Throws<PixelBudgetExceededException>(() => allocator.Wrap(memory, 1001, 1, charge: true));
        using (allocator.Wrap(memory, 1000, 1, charge: true))
        {
            Assert.Equal(1000, allocator.GetStatistics().ExternalBytes);
        }

        Assert.Equal((0L, 0L), (allocator.GetStatistics().ExternalBytes, allocator.GetStatistics().ChargedBytes));
    }

    [Fact]
    public void A_file_that_is_mapped_to_be_read_is_only_read()
    {
        byte[] pixels = new byte[Width * Height];
        new Random(5).NextBytes(pixels);
        File.WriteAllBytes(_file, pixels);
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ClearOnReturn = true });
        int released = 0;
        using (ReadOnlyPixelBuffer<byte> image = Map(allocator, () => released++).AsReadOnly())
        {
            byte[] copy = new byte[pixels.Length];
            image.CopyTo(copy);
            Assert.Equal(pixels, copy);
            using PixelBuffer<byte> clone = image.Clone();
            using ReadOnlyPixelBuffer<uint> view = image.Cast<uint>();
            Assert.Equal(pixels.Sum(static pixel => pixel), image.ProcessPixelRowsInParallel(static rows => Sum(rows), static (a, b) => a + b));
            clone.FilterPixelRowsInParallel(image, static (band, source) => source.GetRowSpanClamped(band.FirstRow - 1).CopyTo(band.GetRowSpan(0)));
            image.Dispose();
            Assert.Equal((0, BitConverter.ToUInt32(pixels)), (released, view[0, 0]));
        }

        Assert.Equal(1, released);
        Assert.Equal(pixels, File.ReadAllBytes(_file));
    }

    [Fact]
    public void A_forgotten_one_is_only_read_too()
    {
        File.WriteAllBytes(_file, new byte[Width * Height]);
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { ClearOnReturn = true });
        var released = new StrongBox<int>();
        Forget(allocator, released);
        for (int i = 0; i < 50 && Volatile.Read(ref released.Value) == 0; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.Equal((1, 1L), (released.Value, allocator.GetStatistics().LeakedCount));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Forget(PixelAllocator allocator, StrongBox<int> released)
    {
        ReadOnlyPixelBuffer<byte> image = Map(allocator, () => Interlocked.Increment(ref released.Value));
        Assert.Equal(0, image[0, 0]);
    }

    private unsafe PixelBuffer<byte> Map(PixelAllocator allocator, Action released)
    {
        using MemoryMappedFile file = MemoryMappedFile.CreateFromFile(_file, FileMode.Open, mapName: null, capacity: 0, MemoryMappedFileAccess.Read);
        MemoryMappedViewAccessor view = file.CreateViewAccessor(0, 0, MemoryMappedFileAccess.Read);
        byte* address = null;
        view.SafeMemoryMappedViewHandle.AcquirePointer(ref address);
        return allocator.Wrap<byte>((nint)address, Width, Height, Width, _ =>
        {
            view.SafeMemoryMappedViewHandle.ReleasePointer();
            view.Dispose();
            released();
        });
    }

    private static int Sum(ReadOnlyPixelAccessor<byte> rows)
    {
        int sum = 0;
        foreach (ReadOnlySpan<byte> row in rows)
        {
            foreach (byte pixel in row)
            {
                sum += pixel;
            }
        }

        return sum;
    }
}
