using System.Diagnostics;

namespace PixelPool.Tiers;

/// <summary>One pooled block cut into pieces of one size. Everything is guarded by the lock of its size class.</summary>
internal sealed class Slab
{
    private readonly SlabSizeClass _owner;
    private readonly int[] _free;
    private int _freeCount;

    public Slab(SlabSizeClass owner, int pieces)
    {
        _owner = owner;
        _free = new int[pieces];
    }

    /// <summary>The block, or 0 while the slab is only a spare table.</summary>
    public nint Block { get; private set; }

    /// <summary>Bytes of one piece.</summary>
    public int PieceBytes => _owner.PieceBytes;

    /// <summary>Neighbours in the list of slabs with free pieces.</summary>
    public Slab? Previous { get; set; }

    public Slab? Next { get; set; }

    public bool IsEmpty => _freeCount == _free.Length;

    public bool IsFull => _freeCount == 0;

    /// <summary>Cuts a block: all pieces are free, the first one is handed out first.</summary>
    public void Open(nint block)
    {
        Block = block;
        _freeCount = _free.Length;
        for (int i = 0; i < _freeCount; i++)
        {
            _free[i] = _freeCount - 1 - i;
        }
    }

    public nint Take() => Block + ((nint)_free[--_freeCount] * PieceBytes);

    public void Put(nint address)
    {
        Debug.Assert((ulong)(address - Block) < (ulong)_free.Length * (ulong)PieceBytes, "a piece of another slab");
        _free[_freeCount++] = (int)((address - Block) / PieceBytes);
    }

    /// <summary>Gives a piece back to the slab, and the block to the pool when it was the last one.</summary>
    public void Return(nint address) => _owner.Return(this, address);
}
