using System.Runtime.InteropServices;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse.Edges;

/// <summary>An image between bytes that belong to others: before it, behind it and, where rows have gaps, between them.</summary>
internal sealed unsafe class WalledImage : IDisposable
{
    public const int Width = 13;
    public const int Height = 11;

    private const byte Wall = 0xB3;
    private const int GapBytes = 12;
    private const int StrideBytes = (Width * sizeof(uint)) + GapBytes;
    private const int WallBytes = 4096;

    private readonly List<IDisposable> _owned = [];

    // What lies around the pixels, where that is known, with a bit for each byte that is a pixel.
    private readonly byte[] _memory = [];
    private readonly bool[] _isPixel = [];
    private readonly PixelBuffer<uint>? _whole;
    private readonly List<PixelBuffer<byte>> _neighbours = [];

    public WalledImage(string kind)
    {
        MemoryTier? tier = Enum.TryParse(kind, out MemoryTier parsed) ? parsed : null;
        PixelAllocator allocator = Own(tier is { } known ? TierSizes.Create(known) : new MisusedAllocator(SmallBufferStrategy.Slab).Allocator);
        if (tier is { } view)
        {
            _whole = Own(TierSizes.Rent<uint>(allocator, view));
            _whole.Fill(0xB3B3_B3B3);
            Image = Own(_whole.View((_whole.Width - Width) / 2, (_whole.Height - Rows(_whole)) / 2, Width, Rows(_whole)));
        }
        else if (kind == BetweenPieces)
        {
            PixelBuffer<uint>[] pieces = [.. Enumerable.Range(0, 9).Select(_ => Own(allocator.Rent<uint>(16, 16)))];
            Image = pieces[4];
            _neighbours.AddRange(pieces.Where(piece => piece != Image).Select(piece => Own(piece.Cast<byte>())));
        }
        else if (kind == BetweenBlocks)
        {
            PixelBuffer<uint>[] blocks = [.. Enumerable.Range(0, 5).Select(_ => Own(allocator.Rent<uint>(128, TestSystem.BlockBytes / 512)))];
            Image = blocks[2];
            _neighbours.AddRange(blocks.Where(block => block != Image).Select(block => Own(block.Cast<byte>())));
        }
        else
        {
            _memory = GC.AllocateUninitializedArray<byte>((2 * WallBytes) + (Height * StrideBytes), pinned: true);
            _isPixel = new bool[_memory.Length];
            for (int y = 0; y < Height; y++)
            {
                _isPixel.AsSpan(WallBytes + (y * StrideBytes), Width * sizeof(uint)).Fill(true);
            }

            bool bottomUp = kind == WrappedBottomUp;
            nint first = (nint)System.Runtime.CompilerServices.Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_memory)) + WallBytes;
            Image = Own(allocator.Wrap<uint>(bottomUp ? first + ((Height - 1) * StrideBytes) : first, Width, Height, bottomUp ? -StrideBytes : StrideBytes));
        }

        _memory.AsSpan().Fill(Wall);
        _neighbours.ForEach(static neighbour => neighbour.Fill(Wall));
        Image.Fill(0);
    }

    public const string Wrapped = "wrapped, with gaps";
    public const string WrappedBottomUp = "wrapped from the bottom up";
    public const string BetweenPieces = "a piece of a slab between others";
    public const string BetweenBlocks = "a block between others";

    public static IEnumerable<string> Kinds => [Wrapped, WrappedBottomUp, BetweenPieces, BetweenBlocks, .. Enum.GetNames<MemoryTier>()];

    public PixelBuffer<uint> Image { get; }

    /// <summary>Fails when a byte of others was written.</summary>
    public void AssertWallsStand()
    {
        for (int i = 0; i < _memory.Length; i++)
        {
            Assert.True(_isPixel[i] || _memory[i] == Wall, $"Byte {i - WallBytes} from the first pixel was written.");
        }

        foreach (PixelBuffer<byte> neighbour in _neighbours)
        {
            PixelPattern.AssertEveryByte(neighbour, Wall);
        }

        if (_whole is not null)
        {
            // The view is the only part of it that may be something else.
            using PixelBuffer<uint> saved = Image.Clone();
            Image.Fill(0xB3B3_B3B3);
            using PixelBuffer<byte> bytes = _whole.Cast<byte>();
            PixelPattern.AssertEveryByte(bytes, Wall);
            saved.CopyTo(Image);
        }
    }

    public void Dispose()
    {
        _owned.Reverse();
        _owned.ForEach(static owned => owned.Dispose());
    }

    private static int Rows(PixelBuffer<uint> whole) => Math.Min(Height, whole.Height - 2);

    private T Own<T>(T owned)
        where T : IDisposable
    {
        _owned.Add(owned);
        return owned;
    }
}
