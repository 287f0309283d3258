using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Tiers;

namespace PixelPool;

// The pieces of memory: one small one, or blocks.
public sealed partial class PixelPoolStream
{
    private const int SmallestBytes = 16 * 1024;

    private int PieceBytes => _pieceCount == 0 ? 0 : _pieces[0]?.Bytes ?? 0;

    private long RentedBytes => (long)_pieceCount * PieceBytes;

    // What is missing is rented before anything changes, and in one rent, so that a refusal leaves the stream as it was: who had some blocks while waiting for the others would keep those from
    // others that do the same. The caller disposes the small piece that was replaced, if there was one: what it writes may lie there.
    private StreamPiece? EnsureCapacity(long bytes, AllocationOptions options = MemoryTiers.Anywhere)
    {
        int count = CountMissing(bytes, out int pieceBytes);
        return count == 0 ? null : Keep(TryRent(pieceBytes, count, options) ?? _scope?.Rent<byte>(pieceBytes, count, options) ?? _allocator.Rent<byte>(pieceBytes, count, options));
    }

    private async ValueTask<StreamPiece?> EnsureCapacityAsync(long bytes, CancellationToken cancellationToken)
    {
        int count = CountMissing(bytes, out int pieceBytes);
        return count == 0
            ? null
            : Keep(TryRent(pieceBytes, count, MemoryTiers.Anywhere) ?? await RentAsync(pieceBytes, count, cancellationToken).ConfigureAwait(false));
    }

    private ValueTask<PixelBuffer<byte>> RentAsync(int pieceBytes, int count, CancellationToken cancellationToken) => _scope is null
        ? _allocator.RentAsync<byte>(pieceBytes, count, MemoryTiers.Anywhere, cancellationToken)
        : _scope.RentAsync<byte>(pieceBytes, count, MemoryTiers.Anywhere, cancellationToken);

    // Pieces to rent, and their size: a larger small one, or as many blocks as are missing.
    private int CountMissing(long bytes, out int pieceBytes)
    {
        pieceBytes = bytes <= _smallBytes ? SmallPieceBytes(bytes) : _blockBytes;
        if (bytes <= RentedBytes)
        {
            return 0;
        }

        if (bytes > BlockSource.MaxBytes - _blockBytes)
        {
            Throw.TooLarge(bytes, BlockSource.MaxBytes);
        }

        // A small piece is replaced: the larger one has room for all bytes.
        int kept = PieceBytes == _blockBytes ? _pieceCount : 0;
        return (int)(((bytes + pieceBytes - 1) / pieceBytes) - kept);
    }

    // Null when the budget has no room for it now. What it never has beside what the stream keeps meanwhile is refused: the stream would wait for itself.
    private PixelBuffer<byte>? TryRent(int pieceBytes, int count, AllocationOptions options)
    {
        // The scope's throws once it has ended.
        PixelAllocator allocator = _scope?.Live ?? _allocator;

        // One row is in one piece anyhow, and may be what the thread keeps.
        options = count == 1 && options == MemoryTiers.Anywhere ? AllocationOptions.None : options;
        PixelBuffer<byte>? rent = allocator.TryRentQuietly(_scope, pieceBytes, count, options, out long neededBytes);
        if (rent is null)
        {
            long keptBytes = 0;
            for (int i = 0; i < _pieceCount; i++)
            {
                keptBytes += _pieces[i] is { IsFirst: true } piece ? piece.HeldBytes : 0;
            }

            allocator.Requests.RefuseIfTooLarge(_scope?.Payer, keptBytes + neededBytes);
        }

        return rent;
    }

    // A power of two: so a larger piece has at least twice the size of the one before, or all that is small.
    private int SmallPieceBytes(long bytes) => (int)Math.Min(_smallBytes, Math.Max(SmallestBytes, 2L << BitOperations.Log2((uint)bytes - 1)));

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

            StreamPiece? small = _pieceCount == 1 && PieceBytes < rent.Width ? _pieces[0] : null;
            if (small is not null)
            {
                using PixelReference from = small.Hold(0, small.Bytes, out Span<byte> content);
                using PixelReference to = pieces[0].Hold(0, small.Bytes, out Span<byte> copy);
                content.CopyTo(copy);
            }

            // Under a lock, so that a stream that is disposed on another thread at this moment keeps nothing.
            using (_gate.Hold())
            {
                ThrowIfDisposed();
                StreamPiece? replaced = _pieceCount == 1 && _pieces[0] == small ? small : null;
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
            rent.Dispose();
            throw;
        }
    }

    // At least the pieces that hold bytes up to there stay; and those that were rented together, until nobody needs any of them.
    private void ReleaseBehind(long bytes)
    {
        int keep = PieceBytes == 0 ? 0 : (int)Math.Min(_pieceCount, (bytes + PieceBytes - 1) / PieceBytes);
        while (keep < _pieceCount && _pieces[keep] is { IsFirst: false })
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

            StreamPiece? last = _pieces[--_pieceCount];
            _pieces[_pieceCount] = null;
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
        StreamPiece? piece = _pieces[index];
        if (piece is null || piece.IsDisposed)
        {
            ThrowEnded();
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

    [DoesNotReturn]
    private void ThrowEnded() => Throw.Returned(_disposed || _scope is null ? typeof(PixelPoolStream) : typeof(RentScope));
}
