namespace PixelPool.Tests.Documentation;

#region docs/recipes.md
internal sealed class TileCache(PixelAllocator allocator, long maxBytes, MemoryPressureSource pressure) : IDisposable
{
    public const int Size = 256;

    private readonly object _lock = new();
    private readonly Dictionary<(int X, int Y), LinkedListNode<Entry>> _tiles = [];
    private readonly LinkedList<Entry> _byUse = new(); // what was used last comes first
    private long _bytes;

    // A view of the tile, which the caller disposes. It holds the memory, whatever the cache drops meanwhile.
    public PixelBuffer<uint> Get(int x, int y, Action<PixelBuffer<uint>> draw)
    {
        if (Find(x, y) is { } view)
        {
            return view;
        }

        PixelBuffer<uint> tile = Rent();
        try
        {
            draw(tile);
            return Add(x, y, tile);
        }
        catch
        {
            tile.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        while (TryDropOldest())
        {
        }
    }

    private PixelBuffer<uint>? Find(int x, int y)
    {
        lock (_lock)
        {
            if (!_tiles.TryGetValue((x, y), out LinkedListNode<Entry>? node))
            {
                return null;
            }

            _byUse.Remove(node);
            _byUse.AddFirst(node);
            return node.Value.Tile.View(0, 0, Size, Size);
        }
    }

    // Where the budget is full, older tiles make room.
    private PixelBuffer<uint> Rent()
    {
        PixelBuffer<uint>? tile;
        while (!allocator.TryRent(Size, Size, out tile))
        {
            if (!TryDropOldest())
            {
                return allocator.Rent<uint>(Size, Size);
            }
        }

        return tile;
    }

    private PixelBuffer<uint> Add(int x, int y, PixelBuffer<uint> tile)
    {
        PixelBuffer<uint> view = tile.View(0, 0, Size, Size);
        long most = pressure.IsHigh() ? maxBytes / 2 : maxBytes;
        lock (_lock)
        {
            if (!_tiles.ContainsKey((x, y)))
            {
                _tiles.Add((x, y), _byUse.AddFirst(new Entry(x, y, tile, tile.HeldBytes)));
                _bytes += tile.HeldBytes;
            }
            else
            {
                tile.Dispose(); // another thread was faster; the view still holds it
            }
        }

        while (Volatile.Read(ref _bytes) > most && TryDropOldest())
        {
        }

        return view;
    }

    private bool TryDropOldest()
    {
        lock (_lock)
        {
            if (_byUse.Last is not { } oldest)
            {
                return false;
            }

            _byUse.RemoveLast();
            _tiles.Remove((oldest.Value.X, oldest.Value.Y));
            _bytes -= oldest.Value.Bytes;
            oldest.Value.Tile.Dispose();
            return true;
        }
    }

    private readonly record struct Entry(int X, int Y, PixelBuffer<uint> Tile, long Bytes);
}
#endregion
