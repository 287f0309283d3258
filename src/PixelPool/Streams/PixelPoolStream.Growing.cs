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
        StreamPiece[] pieces = FindMissing(bytes, out int pieceBytes);
        try
        {
            for (int i = 0; i < pieces.Length; i++)
            {
                pieces[i] = new StreamPiece(Lease(pieceBytes, 1));
            }

            return Keep(pieces);
        }
        catch
        {
            Return(pieces);
            throw;
        }
    }

    private async ValueTask<StreamPiece> EnsureCapacityAsync(long bytes, CancellationToken cancellationToken)
    {
        StreamPiece[] pieces = FindMissing(bytes, out int pieceBytes);
        try
        {
            for (int i = 0; i < pieces.Length; i++)
            {
                pieces[i] = new StreamPiece(
                    await (_scope?.Live ?? _allocator).LeaseForAsync<byte>(_scope, pieceBytes, 1, AllocationOptions.None, cancellationToken).ConfigureAwait(false));
            }

            return Keep(pieces);
        }
        catch
        {
            Return(pieces);
            throw;
        }
    }

    private PixelLease<byte> Lease(int width, int height, AllocationOptions options = AllocationOptions.None) =>
        _scope is null ? _allocator.Lease<byte>(width, height, options) : _scope.Lease<byte>(width, height, options);

    // Room for the pieces to rent, and their size: a larger small one, or as many blocks as are missing.
    private StreamPiece[] FindMissing(long bytes, out int pieceBytes)
    {
        pieceBytes = _blockBytes;
        if (bytes <= RentedBytes)
        {
            return [];
        }

        if (bytes <= _smallBytes)
        {
            pieceBytes = SmallPieceBytes(bytes);
            return new StreamPiece[1];
        }

        if (bytes > BlockSource.MaxBytes - _blockBytes)
        {
            Throw.TooLarge(bytes, BlockSource.MaxBytes);
        }

        // What can never be had is refused at once, and costs nobody memory. The small piece is held until all blocks are there.
        long count = ((bytes + _blockBytes - 1) / _blockBytes) - (PieceBytes == _blockBytes ? _pieceCount : 0);
        _allocator.Requests.RefuseIfTooLarge(_scope, RentedBytes + (count * _blockBytes));
        return new StreamPiece[(int)count];
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

    // Takes leases over. Blocks, or a larger piece, replace the small one, which is returned.
    private StreamPiece Keep(StreamPiece[] pieces)
    {
        if (pieces.Length == 0)
        {
            return default;
        }

        bool copied = Replaces(pieces);
        if (copied)
        {
            _pieces[0].Lease.CopyTo(pieces[0].Lease.View(0, 0, PieceBytes, 1));
        }

        // Under a lock, so that a stream that is disposed on another thread at this moment keeps nothing.
        using (_gate.Hold())
        {
            ThrowIfDisposed();
            bool replaces = copied && Replaces(pieces);
            int first = replaces ? 0 : _pieceCount;
            Reserve(first + pieces.Length);
            StreamPiece replaced = replaces ? _pieces[0] : default;
            pieces.CopyTo(_pieces, first);
            _pieceCount = first + pieces.Length;
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
