using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using PixelPool.Lifetime;
using PixelPool.Native;

namespace PixelPool;

// The pieces of memory: one small one, or blocks.
public sealed partial class PixelPoolStream
{
    private const int SmallestBytes = 16 * 1024;

    // The only piece, if that is no block.
    private StreamPiece? SmallPiece => _pieces.Count == 1 && _pieces[0] is { } piece && piece.Bytes < BlockBytes ? piece : null;

    private long RentedBytes => SmallPiece?.Bytes ?? (long)_pieces.Count * BlockBytes;

    // A scope's throws once the scope has ended.
    private PixelAllocator Allocator => _scope?.Live ?? _allocator;

    private int BlockBytes => _allocator.PieceSizes.Block;

    // What is missing is rented before anything changes, and in one rent, so that a refusal leaves the stream as it was: who had some blocks while waiting for the others would keep those from
    // others that do the same. The caller disposes the small piece that was replaced, if there was one: what it writes may lie there.
    private StreamPiece? EnsureCapacity(long bytes, AllocationOptions options = AllocationOptions.None)
    {
        int count = CountMissing(bytes, out int pieceBytes);
        return count == 0 ? null : Keep(TryRent(pieceBytes, count, options) ?? RentScope.Own(_scope, Allocator.RentFor<byte>(_scope?.Payer, pieceBytes, count, options)));
    }

    private async ValueTask<StreamPiece?> EnsureCapacityAsync(long bytes, CancellationToken cancellationToken)
    {
        int count = CountMissing(bytes, out int pieceBytes);
        return count == 0 ? null : Keep(
            TryRent(pieceBytes, count, AllocationOptions.None)
            ?? await Allocator.TakeAsync(_scope?.Payer, pieceBytes, count, sizeof(byte), AllocationOptions.None, _scope, RentScope.BufferOf<byte>, cancellationToken).ConfigureAwait(false));
    }

    // Pieces to rent, and their size: a larger small one, or as many blocks as are missing.
    private int CountMissing(long bytes, out int pieceBytes)
    {
        pieceBytes = bytes <= _allocator.PieceSizes.Small ? SmallPieceBytes(bytes) : BlockBytes;
        if (bytes <= RentedBytes)
        {
            return 0;
        }

        if (bytes > BlockSource.MaxBytes - BlockBytes)
        {
            Throw.TooLarge(bytes, BlockSource.MaxBytes);
        }

        // A small piece is replaced: the larger one has room for all bytes.
        return (int)(((bytes + pieceBytes - 1) / pieceBytes) - (SmallPiece is null ? _pieces.Count : 0));
    }

    // Null when the budget has no room for it now. What it never has beside what the stream keeps meanwhile is refused: the stream would wait for itself.
    private PixelBuffer<byte>? TryRent(int pieceBytes, int count, AllocationOptions options)
    {
        PixelBuffer<byte>? rent = Allocator.TryRentQuietly(_scope, pieceBytes, count, options, out long neededBytes);
        if (rent is null)
        {
            long keptBytes = 0;
            for (int i = 0; i < _pieces.Count; i++)
            {
                keptBytes += _pieces[i] is { IsFirst: true } piece ? piece.HeldBytes : 0;
            }

            _allocator.Requests.RefuseIfTooLarge(_scope?.Payer, keptBytes + neededBytes);
        }

        return rent;
    }

    // A power of two: so a larger piece has at least twice the size of the one before, or all that is small.
    private int SmallPieceBytes(long bytes) => (int)Math.Min(_allocator.PieceSizes.Small, Math.Max(SmallestBytes, 2L << BitOperations.Log2((uint)bytes - 1)));

    // Takes a rent over, whose rows become pieces. Blocks, or a larger piece, replace the small one.
    private StreamPiece? Keep(PixelBuffer<byte> rent)
    {
        try
        {
            var pieces = new StreamPiece[rent.Height];
            for (int y = 0; y < pieces.Length; y++)
            {
                pieces[y] = new StreamPiece(rent, y);
            }

            StreamPiece? small = SmallPiece;
            if (small is not null)
            {
                using PixelReference to = pieces[0].Hold(0, small.Bytes, out Span<byte> copy);
                ReadAt(0, copy);
            }

            // Under a lock, so that a stream that is disposed on another thread at this moment keeps nothing.
            using (_gate.Hold())
            {
                ThrowIfDisposed();
                _pieces.AddRange(pieces);
                if (_pieces[0] != small)
                {
                    return null;
                }

                _pieces.RemoveAt(0);
                return small;
            }
        }
        catch
        {
            rent.Dispose();
            throw;
        }
    }

    // At least the pieces that hold bytes up to there stay; and those that were rented together, until nobody needs any of them.
    private void ReleaseBehind(long bytes)
    {
        int keep = (int)((bytes + BlockBytes - 1) / BlockBytes);
        while (keep < _pieces.Count && _pieces[keep] is { IsFirst: false })
        {
            keep++;
        }

        Release(keep);
    }

    private unsafe void Release(int keep) => EachOf.End(_pieces.Count - keep, (this, keep), &ReleaseLast);

    private static void ReleaseLast((PixelPoolStream Stream, int Keep) from, int index) => from.Stream.TakeLast(from.Keep)?.Dispose();

    private StreamPiece? TakeLast(int keep)
    {
        using (_gate.Hold())
        {
            if (_pieces.Count <= keep)
            {
                return null;
            }

            StreamPiece last = _pieces[_pieces.Count - 1];
            _pieces.RemoveAt(_pieces.Count - 1);
            return last;
        }
    }

    // What lies between the end and a position behind it was somebody else's. In front of the end there is nothing to clear.
    private void ClearUpTo(long end)
    {
        for (long position = _length; position < end;)
        {
            using PixelReference held = HoldPart(position, end - position, out Span<byte> part);
            part.Clear();
            position += part.Length;
        }
    }

    // The next bytes in the piece in which a position lies, and what holds them.
    private PixelReference HoldPart(long position, long most, out Span<byte> part)
    {
        StreamPiece piece = PieceAt(position, out int offset);
        return piece.Hold(offset, (int)Math.Min(most, piece.Bytes - offset), out part);
    }

    // There are pieces where bytes are, unless the scope has ended or another thread is changing or disposing the stream. A small piece lies where the first block would.
    private StreamPiece PieceAt(long position, out int offset)
    {
        long index = position / BlockBytes;
        offset = (int)(position - (index * BlockBytes));
        StreamPiece? piece = index < _pieces.Count ? _pieces[(int)index] : null;
        if (piece is null || piece.IsDisposed || offset >= piece.Bytes)
        {
            Throw.Returned(_disposed || _scope is null ? typeof(PixelPoolStream) : typeof(RentScope));
        }

        return piece;
    }

    // From a position on as far as its memory reaches.
    private Memory<byte> MemoryAt(long position) => PieceAt(position, out int offset).Memory.Slice(offset);

    // Whoever has memory of the stream has disposed nothing, as a rule: the stream has grown, or has become shorter.
    [DoesNotReturn]
    internal static void ThrowChanged() => Throw.Disposed(
        nameof(PixelPoolStream),
        "The PixelPoolStream was changed or disposed, or its scope was, since this memory or sequence was taken from it. Take it again after each change.");
}
