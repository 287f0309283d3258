using System.Diagnostics.CodeAnalysis;
using PixelPool.Lifetime;
using PixelPool.Native;

namespace PixelPool;

// The pieces of memory: one small one, or blocks.
public sealed partial class PixelPoolStream
{
    private const int SmallestBytes = 16 * 1024;

    private int PieceBytes => _pieceCount == 0 ? 0 : _pieces[0].Lease.Width;

    private long RentedBytes => (long)_pieceCount * PieceBytes;

    // What is missing is rented before anything changes, so that a refusal leaves the stream as it was. The caller disposes the small piece that was replaced, if
    // there was one: what it writes may lie there.
    private StreamPiece EnsureCapacity(long bytes)
    {
        int count = CountMissing(bytes, out int pieceBytes);
        return count == 0 ? default : TryKeepEach(pieceBytes, count) ?? Keep(new StreamPiece[count], Lease(pieceBytes, count));
    }

    private async ValueTask<StreamPiece> EnsureCapacityAsync(long bytes, CancellationToken cancellationToken)
    {
        int count = CountMissing(bytes, out int pieceBytes);
        return count == 0
            ? default
            : TryKeepEach(pieceBytes, count) ?? Keep(
                new StreamPiece[count],
                TryLease(pieceBytes, count, AllocationOptions.None, out PixelLease<byte> pieces)
                    ? pieces
                    : await (_scope?.Live ?? _allocator).LeaseForAsync<byte>(_scope, pieceBytes, count, AllocationOptions.None, cancellationToken).ConfigureAwait(false));
    }

    // Blocks are rented one by one, so that each goes back when nobody needs it any more. If the budget has no room for all of them, they are waited for as one rent: who had some of them while
    // waiting for the others would keep those from others that do the same.
    private StreamPiece? TryKeepEach(int pieceBytes, int count)
    {
        var pieces = new StreamPiece[count];
        bool isKept = false;
        try
        {
            for (int i = 0; i < count; i++)
            {
                if (!TryLease(pieceBytes, 1, AllocationOptions.None, out PixelLease<byte> piece))
                {
                    return null;
                }

                pieces[i] = new StreamPiece(piece);
            }

            StreamPiece replaced = Keep(pieces);
            isKept = true;
            return replaced;
        }
        finally
        {
            if (!isKept)
            {
                Return(pieces);
            }
        }
    }

    // Waits for the budget, if it has to.
    private PixelLease<byte> Lease(int width, int height, AllocationOptions options = AllocationOptions.None) =>
        TryLease(width, height, options, out PixelLease<byte> lease) ? lease
            : _scope is null ? _allocator.Lease<byte>(width, height, options)
            : _scope.Lease<byte>(width, height, options);

    // False when the budget has no room for it now. If it never has beside what the stream keeps meanwhile, that is refused: the stream would wait for itself.
    private bool TryLease(int width, int height, AllocationOptions options, out PixelLease<byte> lease)
    {
        bool isLeased = (_scope?.Live ?? _allocator).TryLeaseQuietly(_scope, width, height, options, out lease, out long neededBytes);
        if (!isLeased)
        {
            long apartBytes = _apart.Memory is null ? 0 : (long)_apart.Lease.Width * _apart.Lease.Height;
            _allocator.Requests.RefuseIfTooLarge(_scope, (_pieceCount == 1 ? _pieces[0].Lease.HeldBytes : RentedBytes) + apartBytes + neededBytes);
        }

        return isLeased;
    }

    // Pieces to rent, and their size: a larger small one, or as many blocks as are missing.
    private int CountMissing(long bytes, out int pieceBytes)
    {
        pieceBytes = _blockBytes;
        if (bytes <= RentedBytes)
        {
            return 0;
        }

        if (bytes <= _smallBytes)
        {
            pieceBytes = SmallPieceBytes(bytes);
            return 1;
        }

        if (bytes > BlockSource.MaxBytes - _blockBytes)
        {
            Throw.TooLarge(bytes, BlockSource.MaxBytes);
        }

        // What can never be had is refused at once, and costs nobody memory. The small piece is held until all blocks are there.
        long count = ((bytes + _blockBytes - 1) / _blockBytes) - (PieceBytes == _blockBytes ? _pieceCount : 0);
        _allocator.Requests.RefuseIfTooLarge(_scope, RentedBytes + (count * _blockBytes));
        _allocator.Requests.CheckFits(count * _blockBytes);
        return (int)count;
    }

    private int SmallPieceBytes(long bytes)
    {
        int next = Math.Max(Math.Min(SmallestBytes, _smallBytes), PieceBytes);
        while (next < bytes)
        {
            next = (int)Math.Min(2L * next, _smallBytes);
        }

        return next;
    }

    // The rows of one rent. Only the first one of them owns it. The others look at it, each with all rows behind it, and go before it.
    private StreamPiece Keep(StreamPiece[] pieces, PixelLease<byte> rows)
    {
        try
        {
            SetRows(pieces, rows);
            return Keep(pieces);
        }
        catch
        {
            new StreamPiece(rows).Dispose();
            throw;
        }
    }

    private static void SetRows(Span<StreamPiece> pieces, PixelLease<byte> rows)
    {
        pieces[0] = new StreamPiece(rows);
        for (int y = 1; y < pieces.Length; y++)
        {
            pieces[y] = new StreamPiece(rows.View(0, y, rows.Width, rows.Height - y));
        }
    }

    // Takes leases over. Blocks, or a larger piece, replace the small one, which is returned.
    private StreamPiece Keep(StreamPiece[] pieces)
    {
        bool copied = Replaces(pieces);
        if (copied)
        {
            _pieces[0].Lease.CopyTo(pieces[0].Lease.View(0, 0, PieceBytes, 1));
        }

        // Under a lock, so that a stream that is disposed on another thread at this moment keeps nothing.
        using (_gate.Hold())
        {
            ThrowIfDisposed();
            StreamPiece replaced = default;
            if (copied && Replaces(pieces))
            {
                // Not in place: a thread that reads it at this moment would take a part of the one for the other.
                replaced = _pieces[0];
                _pieces = pieces;
                _pieceCount = pieces.Length;
            }
            else
            {
                Reserve(_pieceCount + pieces.Length);
                pieces.CopyTo(_pieces, _pieceCount);
                _pieceCount += pieces.Length;
            }

            return replaced;
        }
    }

    private bool Replaces(StreamPiece[] pieces) => _pieceCount == 1 && PieceBytes < pieces[0].Lease.Width;

    private void Reserve(int count)
    {
        if (count > _pieces.Length)
        {
            Array.Resize(ref _pieces, Math.Max(count, 2 * _pieces.Length));
        }
    }

    // At least the pieces that hold bytes up to there stay; and those that were rented together, until nobody needs any of them.
    private void ReleaseBehind(long bytes)
    {
        int keep = PieceBytes == 0 ? 0 : (int)Math.Min(_pieceCount, (bytes + PieceBytes - 1) / PieceBytes);
        while (keep < _pieceCount && _pieces[keep].Lease.IsView)
        {
            keep++;
        }

        Release(keep);
    }

    private unsafe void Release(int keep) => EachOf.End(Math.Max(0, _pieceCount - keep), (this, keep), &ReleaseLast);

    private static void ReleaseLast((PixelPoolStream Stream, int Keep) from, int index) => from.Stream.TakeLast(from.Keep).Dispose();

    private StreamPiece TakeLast(int keep)
    {
        using (_gate.Hold())
        {
            if (_pieceCount <= keep)
            {
                return default;
            }

            StreamPiece last = _pieces[--_pieceCount];
            _pieces[_pieceCount] = default;
            return last;
        }
    }

    private static unsafe void Return(StreamPiece[] pieces) => EachOf.End(pieces.Length, pieces, &ReturnOne);

    private static void ReturnOne(StreamPiece[] pieces, int index) => pieces[index].Dispose();

    // What lies between the end and a position behind it was somebody else's.
    private void ClearUpTo(long end)
    {
        for (long position = _length; position < end;)
        {
            PixelLease<byte> piece = PieceAt(position, end - position, out int offset, out int count);
            piece.ProcessPixelRows((offset, count), static (row, range) => row.GetRowSpan(0).Slice(range.offset, range.count).Clear());
            position += count;
        }
    }

    /// <summary>The piece in which a position lies, and how many of the next bytes it has.</summary>
    private PixelLease<byte> PieceAt(long position, long most, out int offset, out int count)
    {
        PixelLease<byte> piece = PieceAt(IndexOf(position, out offset));
        count = (int)Math.Min(most, piece.Width - offset);
        return piece;
    }

    // From a position on to the end of its piece, for those who take memory. Made once for each piece.
    private Memory<byte> MemoryAt(long position)
    {
        int index = IndexOf(position, out int offset);
        return (_pieces[index].Memory ??= PieceAt(index).LendBytes()).Memory.Slice(offset);
    }

    private int IndexOf(long position, out int offset)
    {
        int pieceBytes = PieceBytes;
        if (pieceBytes == 0)
        {
            ThrowEnded();
        }

        long index = position / pieceBytes;
        offset = (int)(position - (index * pieceBytes));
        return (int)index;
    }

    // There are pieces where bytes are, unless the scope has ended or another thread is disposing the stream: so the copy is looked at.
    private PixelLease<byte> PieceAt(int index)
    {
        PixelLease<byte> piece = _pieces[index].Lease;
        if (piece.IsDisposed)
        {
            ThrowEnded();
        }

        return piece;
    }

    [DoesNotReturn]
    private void ThrowEnded() => Throw.Returned(_disposed || _scope is null ? typeof(PixelPoolStream) : typeof(RentScope));
}
