using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Documentation;

// Parts of pictures that are too large to be looked at whole.
public sealed partial class RecipesPageTests
{
    [Fact]
    public void Tiles()
    {
        using PixelBuffer<uint> image = _allocator.Rent<uint>(1300, 1100, AllocationOptions.Clean);

        #region docs/recipes.md
        const int Size = 512;
        int columns = (image.Width + Size - 1) / Size;
        int rows = (image.Height + Size - 1) / Size;

        Parallel.For(0, columns * rows, number =>
        {
            int x = number % columns * Size;
            int y = number / columns * Size;
            using PixelBuffer<uint> tile = image.View(x, y, Math.Min(Size, image.Width - x), Math.Min(Size, image.Height - y));
            tile.Fill((uint)number);
        });
        #endregion

        Assert.Equal((0u, 1u, 5u, 8u), (image[511, 511], image[512, 511], image[1299, 1023], image[1299, 1099]));
    }

    [Fact]
    public void A_cache_of_tiles()
    {
        const int Most = 2 << 20;
        var pressure = new ManualMemoryPressure();
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 64 << 20 });
        var drawn = new List<(int, int)>();
        using var cache = new TileCache(allocator, Most, pressure);
        for (int x = 0; x < 20; x++)
        {
            Look(x, 0);
            Look(0, 0);
            Assert.InRange(allocator.GetStatistics().RentedBytes, 1, Most);
        }

        // The first one was used all the time, others were dropped.
        Assert.Equal(20, drawn.Count);
        Look(1, 0);
        Assert.Equal([(0, 0), (1, 0)], drawn.GroupBy(static place => place).Where(static group => group.Key is (0, 0) || group.Count() == 2).Select(static group => group.Key));

        pressure.High = true;
        Look(9, 9);
        Assert.InRange(allocator.GetStatistics().RentedBytes, 1, Most / 2);
        pressure.High = false;

        // Where others hold the rest of the budget, a tile gets the room of an older one.
        using (allocator.ChargeExternal((64 << 20) - allocator.GetStatistics().ChargedBytes))
        {
            Look(3, 3);
            Look(4, 4);
        }

        Assert.Throws<NotSupportedException>(() => cache.Get(7, 7, static _ => throw new NotSupportedException()));
        using (PixelBuffer<uint> kept = cache.Get(8, 8, static tile => tile.Fill(8)))
        {
            cache.Dispose();
            Assert.Equal(8u, kept[0, 0]);
        }

        Assert.Equal(0, allocator.GetStatistics().RentedBytes);

        void Look(int x, int y)
        {
            using PixelBuffer<uint> view = cache.Get(x, y, tile =>
            {
                drawn.Add((x, y));
                tile.Fill((uint)((100 * y) + x));
            });
            Assert.Equal((uint)((100 * y) + x), view[TileCache.Size - 1, TileCache.Size - 1]);
        }
    }
}
