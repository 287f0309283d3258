using System.IO.MemoryMappedFiles;

namespace PixelPool.Tests.Documentation;

// Images that are only read.
public sealed partial class RecipesPageTests
{
    [Fact]
    public void A_method_that_only_reads()
    {
        using PixelBuffer<byte> grey = _allocator.Rent<byte>(2000, 1501);
        grey.Fill(6);
        using (PixelBuffer<byte> half = grey.View(0, 0, 1000, 1501))
        {
            half.Fill(9);
        }

        #region docs/recipes.md
        double mean = Mean(grey);

        static double Mean(ReadOnlyPixelBuffer<byte> image)
        {
            long sum = image.ProcessPixelRowsInParallel(
                static band =>
                {
                    long sum = 0;
                    foreach (ReadOnlySpan<byte> row in band)
                    {
                        foreach (byte level in row)
                        {
                            sum += level;
                        }
                    }

                    return sum;
                },
                static (one, other) => one + other);
            return (double)sum / ((long)image.Width * image.Height);
        }
        #endregion

        Assert.Equal(7.5, mean, 1e-9);
    }

    [Fact]
    public void A_mapped_file()
    {
        string path = Path.Combine(Path.GetTempPath(), $"pixelpool-{Guid.NewGuid():N}.raw");
        File.WriteAllBytes(path, [1, 2, 3, 4, 5, 6, 7]);
        using (ReadOnlyPixelBuffer<byte> image = Map(_allocator, path, 3, 2))
        {
            Assert.Equal((1, 6), (image[0, 0], image[2, 1]));
        }

        File.Delete(path);

        #region docs/recipes.md
        static unsafe ReadOnlyPixelBuffer<byte> Map(PixelAllocator allocator, string path, int width, int height)
        {
            using MemoryMappedFile file = MemoryMappedFile.CreateFromFile(path, FileMode.Open, mapName: null, capacity: 0, MemoryMappedFileAccess.Read);
            MemoryMappedViewAccessor view = file.CreateViewAccessor(0, (long)width * height, MemoryMappedFileAccess.Read);
            byte* address = null;
            view.SafeMemoryMappedViewHandle.AcquirePointer(ref address);
            try
            {
                return allocator.Wrap<byte>((nint)address, width, height, width, _ => Unmap(view)).AsReadOnly();
            }
            catch
            {
                Unmap(view);
                throw;
            }
        }

        static void Unmap(MemoryMappedViewAccessor view)
        {
            view.SafeMemoryMappedViewHandle.ReleasePointer();
            view.Dispose();
        }
        #endregion
    }
}
