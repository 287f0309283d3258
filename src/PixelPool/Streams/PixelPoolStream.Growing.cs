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

    // What is missing is rented before anything changes, and in one rent, so that a refusal leaves the stream as it was: who had some blocks while waiting for the others would keep those from
    // others that do the same. The caller disposes the small piece that was replaced, if there was one: what it writes may lie there.
    private StreamPiece? EnsureCapacity(long bytes, AllocationOptions options = AllocationOptions.None)
    {
        int count = CountMissing(bytes, options, out int pieceBytes);
        return count == 0 ? null : Keep(RentScope.Own(_scope, LiveAllocator.LeaseFor<byte>(_scope, pieceBytes, count, options)));
    }

    private async ValueTask<StreamPiece?> EnsureCapacityAsync(long bytes, CancellationToken cancellationToken)
    {
        int count = CountMissing(bytes, AllocationOptions.None, out int pieceBytes);
        return count == 0
            ? null
            : Keep(await LiveAllocator.LeaseForAsync<byte>(_scope, pieceBytes, count, AllocationOptions.None, cancellationToken).ConfigureAwait(false));
    }

    // Pieces to rent, and their size: a larger small one, or as many blocks as are missing.
    private int CountMissing(long bytes, AllocationOptions options, out int pieceBytes)
    {
        pieceBytes = _blockBytes;
        long count = 1;
        if (bytes <= RentedBytes)
        {
            return 0;
        }

        if (bytes <= _smallBytes)
        {
            pieceBytes = SmallPieceBytes(bytes);
        }
        else if (bytes > BlockSource.MaxBytes - _blockBytes)
        {
            Throw.TooLarge(bytes, BlockSource.MaxBytes);
        }
        else
        {
            count = ((bytes + _blockBytes - 1) / _blockBytes) - (PieceBytes == _blockBytes ? _pieceCount : 0);
        }

        // What the stream has it keeps meanwhile: it would wait for itself.
        long keptBytes = _pieceCount == 1 ? _pieces[0].Lease.HeldBytes : RentedBytes;
        _allocator.Requests.RefuseIfTooLarge(_scope, keptBytes + _allocator.Requests.GetHeldBytes(pieceBytes, (int)count, sizeof(byte), options));
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

    // Takes a rent over, whose rows become pieces. Only the first one of them owns it. The others look at it, each with all rows behind it, and go before it. Blocks, or a larger piece, replace the
    // small one.
    private StreamPiece? Keep(PixelLease<byte> rows)
    {
        try
        {
            var pieces = new StreamPiece[rows.Height];
            pieces[0] = new StreamPiece(rows);
            for (int y = 1; y < pieces.Length; y++)
            {
                pieces[y] = new StreamPiece(rows.View(0, y, rows.Width, rows.Height - y));
            }

            bool copied = IsReplacedBy(rows);
            if (copied)
            {
                _pieces[0].Lease.CopyTo(rows.View(0, 0, PieceBytes, 1));
            }

            // Under a lock, so that a stream that is disposed on another thread at this moment keeps nothing.
            using (_gate.Hold())
            {
                ThrowIfDisposed();
                StreamPiece? replaced = copied && IsReplacedBy(rows) ? _pieces[0] : null;
                int kept = replaced is null ? _pieceCount : 0;
                if (kept + pieces.Length > _pieces.Length)
                {
                    Array.Resize(ref _pieces, Math.Max(kept + pieces.Length, 2 * _pieces.Length));
                }

                pieces.CopyTo(_pieces, kept);
                _pieceCount = kept + pieces.Length;
                return replaced;
            }
        }
        catch
        {
            rows.EndUnlessEnded();
            throw;
        }
    }

    private bool IsReplacedBy(PixelLease<byte> rows) => _pieceCount == 1 && PieceBytes < rows.Width;

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

    private static void ReleaseLast((PixelPoolStream Stream, int Keep) from, int index) => from.Stream.TakeLast(from.Keep)?.Dispose();

    private StreamPiece? TakeLast(int keep)
    {
        using (_gate.Hold())
        {
            if (_pieceCount <= keep)
            {
                return null;
            }

            StreamPiece last = _pieces[--_pieceCount];
            _pieces[_pieceCount] = StreamPiece.None;
            return last;
        }
    }

    // What lies between the end and a position behind it was somebody else's.
    private void ClearUpTo(long end)
    {
        for (long position = _length; position < end;)
        {
            StreamPiece piece = PieceAt(position, end - position, out int offset, out int count);
            piece.Lease.ProcessPixelRows((offset, count), static (row, range) => row.GetRowSpan(0).Slice(range.offset, range.count).Clear());
            position += count;
        }
    }

    // The piece in which a position lies, and how many of the next bytes it has.
    private StreamPiece PieceAt(long position, long most, out int offset, out int count)
    {
        StreamPiece piece = PieceAt(position, out offset);
        count = (int)Math.Min(most, piece.Lease.Width - offset);
        return piece;
    }

    // There are pieces where bytes are, unless the scope has ended or another thread is disposing the stream.
    private StreamPiece PieceAt(long position, out int offset)
    {
        int pieceBytes = PieceBytes;
        if (pieceBytes == 0)
        {
            ThrowEnded();
        }

        long index = position / pieceBytes;
        offset = (int)(position - (index * pieceBytes));
        StreamPiece piece = index < _pieceCount ? _pieces[index] : StreamPiece.None;
        if (piece.Lease.IsDisposed)
        {
            ThrowEnded();
        }

        return piece;
    }

    // From a position on as far as its memory reaches.
    private Memory<byte> MemoryAt(long position) => PieceAt(position, out int offset).Memory.Slice(offset);

    [DoesNotReturn]
    private void ThrowEnded() => Throw.Returned(_disposed || _scope is null ? typeof(PixelPoolStream) : typeof(RentScope));
}
