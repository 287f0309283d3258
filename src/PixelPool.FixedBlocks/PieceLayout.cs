using System.Runtime.CompilerServices;
using PixelPool.Native;

namespace PixelPool.FixedBlocks;

/// <summary>Where the pieces of one size lie in a block, and how a piece leads to the header of its block.</summary>
/// <remarks>
/// Blocks are aligned to pages of 4,096 bytes only, whatever their size, so the address of a piece cannot be masked down to its block. Each page begins with its
/// distance from the header instead; its pieces end where the page ends, so sizes that are powers of two are aligned to themselves. Where the rest of
/// a page would be lost, with larger pieces, each piece has that number in front of it.
/// </remarks>
internal sealed unsafe class PieceLayout
{
    private const int PageBytes = BlockSource.AlignmentBytes;
    private const int BackBytes = sizeof(int);
    private const int AlignmentBytes = 8;
    private const int FirstWithNumber = BlockHeader.Bytes + AlignmentBytes;

    private readonly int _perPage;
    private readonly int _firstInPage;
    private readonly int _firstInBlock;
    private readonly int _blockBytes;

    // Where the distance of a piece from its header is written: at the beginning of its page, or directly before the piece.
    private readonly nint _backMask;
    private readonly int _backDistance;

    /// <param name="itemBytes">Bytes of what is stored in a piece.</param>
    /// <param name="blockBytes">Bytes of a block.</param>
    public PieceLayout(int itemBytes, int blockBytes)
    {
        _blockBytes = blockBytes;

        // A free piece holds an address. What is as long as a block does not fit: rounding it up must not go past the end of an int.
        PieceBytes = Math.Max(RoundUp(Math.Min(itemBytes, blockBytes), BackBytes), IntPtr.Size);
        int apart = RoundUp(PieceBytes + BackBytes, AlignmentBytes);
        _perPage = (PageBytes - BackBytes) / PieceBytes;
        if (PageBytes < (long)apart * _perPage)
        {
            StepBytes = PieceBytes;
            _backMask = ~(nint)(PageBytes - 1);
            _firstInPage = PageBytes - (_perPage * PieceBytes);
            int afterHeader = _firstInPage + RoundUp(Math.Max(0, BlockHeader.Bytes - _firstInPage), PieceBytes);
            _firstInBlock = afterHeader + PieceBytes <= PageBytes ? afterHeader : PageBytes;
            Capacity = ((PageBytes - _firstInBlock) / PieceBytes) + (((blockBytes / PageBytes) - 1) * _perPage);
            return;
        }

        _perPage = 0;
        StepBytes = apart;
        _backMask = -1;
        _backDistance = BackBytes;
        _firstInBlock = FirstWithNumber;
        long room = (long)blockBytes - FirstWithNumber - PieceBytes;
        Capacity = room < 0 ? 0 : (int)(room / apart) + 1;
    }

    /// <summary>Bytes of a piece: at least those of what it holds.</summary>
    public int PieceBytes { get; }

    /// <summary>From one fresh piece to the next one.</summary>
    public int StepBytes { get; }

    /// <summary>Pieces of a block; 0 when not even one fits.</summary>
    public int Capacity { get; }

    /// <summary>More than any <see cref="IndexOf"/>.</summary>
    public int IndexCount => _perPage == 0 ? Capacity : _blockBytes / PageBytes * _perPage;

    /// <summary>The header of the block that the piece is in.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public BlockHeader* BlockOf(byte* piece)
    {
        byte* back = (byte*)((nint)(piece - _backDistance) & _backMask);
        return (BlockHeader*)(back - *(int*)back);
    }

    /// <summary>Makes all pieces of the block fresh.</summary>
    public void Open(BlockHeader* block)
    {
        block->Back = 0;
        block->Free = null;
        block->Used = 0;
        block->Fresh = block->FreshEnd = (byte*)block + _firstInBlock;
        block->Unprepared = _firstInBlock;
        if (_perPage != 0)
        {
            block->FreshEnd = (byte*)block + PageBytes;
            block->Unprepared = PageBytes;
        }
    }

    /// <summary>Prepares more fresh pieces: a page of them, or the next one. The rest of the block is not touched.</summary>
    /// <returns>False when there are no more.</returns>
    public bool TryPrepare(BlockHeader* block)
    {
        int start = block->Unprepared;
        int bytes = _perPage == 0 ? PieceBytes : PageBytes;
        if (start > _blockBytes - bytes)
        {
            return false;
        }

        int back = start - _backDistance;
        *(int*)((byte*)block + back) = back;
        block->Fresh = (byte*)block + start + (_perPage == 0 ? 0 : _firstInPage);
        block->Unprepared = start + (_perPage == 0 ? StepBytes : PageBytes);
        block->FreshEnd = (byte*)block + block->Unprepared;
        return true;
    }

    /// <summary>Numbers the pieces of a block.</summary>
    /// <returns>−1 when no piece begins there.</returns>
    public int IndexOf(nint offset)
    {
        if (offset < _firstInBlock || offset > _blockBytes - PieceBytes)
        {
            return -1;
        }

        nint page = _perPage == 0 ? 0 : offset / PageBytes;
        nint inside = _perPage == 0 ? offset - FirstWithNumber : (offset % PageBytes) - _firstInPage;
        return inside < 0 || inside % StepBytes != 0 ? -1 : (int)((page * _perPage) + (inside / StepBytes));
    }

    private static int RoundUp(int value, int step) => (value + step - 1) / step * step;
}
