using PixelPool.Native;

namespace PixelPool;

/// <content>The pieces of memory: one small one, or blocks.</content>
public sealed partial class PixelPoolStream
{
    private const int SmallestBytes = 16 * 1024;

    private int PieceBytes => _pieceCount == 0 ? 0 : _pieces[0].Width;

    private long RentedBytes => (long)_pieceCount * PieceBytes;

    private void EnsureCapacity(long bytes)
    {
        CheckGrowth(bytes);
        int pieces = _pieceCount;
        try
        {
            while (RentedBytes < bytes)
            {
                int next = NextPieceBytes(bytes);
                Add(_scope is null ? _allocator.Lease<byte>(next, 1) : _scope.Lease<byte>(next, 1));
            }
        }
        catch
        {
            Release(Math.Max(1, pieces));
            throw;
        }
    }

    private async ValueTask EnsureCapacityAsync(long bytes, CancellationToken cancellationToken)
    {
        CheckGrowth(bytes);
        int pieces = _pieceCount;
        try
        {
            while (RentedBytes < bytes)
            {
                int next = NextPieceBytes(bytes);
                ValueTask<PixelLease<byte>> lease = _scope is null
                    ? _allocator.LeaseAsync<byte>(next, 1, AllocationOptions.None, cancellationToken)
                    : _scope.LeaseAsync<byte>(next, 1, AllocationOptions.None, cancellationToken);
                Add(await lease.ConfigureAwait(false));
            }
        }
        catch
        {
            Release(Math.Max(1, pieces));
            throw;
        }
    }

    // Before the first piece is rented: what can never be had is refused at once, and costs nobody memory.
    private void CheckGrowth(long bytes)
    {
        if (bytes > _smallBytes && bytes > RentedBytes)
        {
            if (bytes > BlockSource.MaxBytes - _blockBytes)
            {
                Throw.TooLarge(bytes, BlockSource.MaxBytes);
            }

            _allocator.Requests.RefuseIfTooLarge(_scope, (bytes + _blockBytes - 1) / _blockBytes * _blockBytes);
        }
    }

    private int NextPieceBytes(long bytes)
    {
        if (bytes > _smallBytes)
        {
            return _blockBytes;
        }

        int next = Math.Max(Math.Min(SmallestBytes, _smallBytes), PieceBytes);
        while (next < bytes)
        {
            next = (int)Math.Min(2L * next, _smallBytes);
        }

        return next;
    }

    // Takes a lease over. A piece of another size replaces the small one.
    private void Add(PixelLease<byte> piece)
    {
        bool replaces = _pieceCount == 1 && PieceBytes < piece.Width;
        PixelLease<byte> returned = piece;
        try
        {
            if (replaces)
            {
                _pieces[0].CopyTo(piece.View(0, 0, PieceBytes, 1));
            }

            returned = Keep(piece, replaces);
        }
        finally
        {
            returned.Dispose();
        }

        ThrowIfDisposed();
    }

    // Under a lock, so that a stream that is disposed on another thread at this moment keeps nothing.
    private PixelLease<byte> Keep(PixelLease<byte> piece, bool replaces)
    {
        using (_gate.Hold())
        {
            if (_disposed)
            {
                return piece;
            }

            if (replaces)
            {
                PixelLease<byte> small = _pieces[0];
                _pieces[0] = piece;
                _memories[0] = default;
                return small;
            }

            if (_pieceCount == _pieces.Length)
            {
                int room = Math.Max(1, 2 * _pieceCount);
                Array.Resize(ref _memories, room);
                Array.Resize(ref _pieces, room);
            }

            _pieces[_pieceCount++] = piece;
            return default;
        }
    }

    // At least the pieces that hold bytes up to there stay.
    private void ReleaseBehind(long bytes) =>
        Release(PieceBytes == 0 ? 0 : (int)Math.Min(_pieceCount, (bytes + PieceBytes - 1) / PieceBytes));

    private void Release(int keep)
    {
        while (TakeLast(keep) is { } last)
        {
            last.Dispose();
        }
    }

    private PixelLease<byte>? TakeLast(int keep)
    {
        using (_gate.Hold())
        {
            if (_pieceCount <= keep)
            {
                return null;
            }

            PixelLease<byte> last = _pieces[--_pieceCount];
            _pieces[_pieceCount] = default;
            _memories[_pieceCount] = default;
            return last;
        }
    }

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
        int pieceBytes = SomePieceBytes();
        PixelLease<byte> piece = _pieces[(int)(position / pieceBytes)];
        offset = (int)(position % pieceBytes);
        count = (int)Math.Min(most, pieceBytes - offset);
        return piece;
    }

    // There are pieces where bytes are, unless another thread is disposing the stream.
    private int SomePieceBytes()
    {
        int bytes = PieceBytes;
        if (bytes == 0)
        {
            Throw.Disposed(nameof(PixelPoolStream));
        }

        return bytes;
    }

    // From a position to the end of its piece, for those who take memory. Made once for each piece.
    private Memory<byte> MemoryAt(long position)
    {
        int pieceBytes = SomePieceBytes();
        ref Memory<byte> memory = ref _memories[(int)(position / pieceBytes)];
        if (memory.IsEmpty)
        {
            using PixelBuffer<byte> piece = _pieces[(int)(position / pieceBytes)].AsBuffer();
            piece.DangerousTryGetSinglePixelMemory(out memory);
        }

        return memory.Slice((int)(position % pieceBytes));
    }
}
