using System.Buffers;

namespace PixelPool;

// Memory for writers: IBufferWriter<T>.
public sealed partial class PixelPoolStream
{
    // What was lent last and may be advanced over: bytes of the stream, or a rent apart from it where they would go over the end of a piece.
    private int _lentBytes;
    private StreamPiece _apart;

    /// <summary>
    /// Returns memory at <see cref="Position"/> to write to. <see cref="Advance"/> makes the written bytes part of the stream. Reading, writing, copying, seeking,
    /// and setting the position or the length end it: <see cref="Advance"/> throws then.
    /// </summary>
    /// <param name="sizeHint">The fewest bytes that it must have. Default: 0, which means any number above 0.</param>
    /// <returns>
    /// Memory that is valid until the stream is used otherwise, or disposed. Behind the end of the stream its content is undefined. Before the end it may be the
    /// content itself: what is written there stays, even without <see cref="Advance"/>. No array lies behind it: <c>MemoryMarshal.TryGetArray</c> returns false.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed. The stream did not change.
    /// </exception>
    /// <exception cref="InvalidMemoryOperationException">The stream would have more bytes than a process can address.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>. The stream did not change.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Throw.IfNegative(sizeHint, nameof(sizeHint));
        ThrowIfDisposed();
        EndLending();
        int bytes = Math.Max(1, sizeHint);
        long position = _position;
        long end = EndOf(bytes);
        Memory<byte> memory;
        if (end <= _smallBytes || (position % _blockBytes) + bytes <= _blockBytes)
        {
            EnsureCapacity(end).Dispose();
            memory = MemoryAt(position);
        }
        else if (end > RentedBytes || (memory = MemoryAt(position)).Length < bytes)
        {
            memory = LendApart(position, bytes, end);
        }

        _lentBytes = memory.Length;
        return memory;
    }

    /// <summary>Returns what <see cref="GetMemory"/> returns, as a span.</summary>
    /// <param name="sizeHint">The fewest bytes that it must have. Default: 0, which means any number above 0.</param>
    /// <returns>A span that nothing protects. Otherwise as the memory of <see cref="GetMemory"/>.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// The budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed. The stream did not change.
    /// </exception>
    /// <exception cref="InvalidMemoryOperationException">The stream would have more bytes than a process can address.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory: see <see cref="PixelAllocator.Rent{TPixel}"/>. The stream did not change.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>
    /// Makes bytes part of the stream that were written to the memory that <see cref="GetMemory"/> or <see cref="GetSpan"/> returned last. It rents nothing, so no
    /// budget refuses it.
    /// </summary>
    /// <param name="count">How many.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    /// <exception cref="InvalidOperationException">
    /// <paramref name="count"/> is more than the memory has, or the stream was read, written to, copied, moved or changed since, or advanced already.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public void Advance(int count)
    {
        Throw.IfNegative(count, nameof(count));
        ThrowIfDisposed();
        if (count > _lentBytes)
        {
            throw new InvalidOperationException(_lentBytes == 0
                ? "There is no memory to advance over. Call GetMemory or GetSpan directly before Advance: any other use of the stream ends what they returned."
                : $"The stream cannot advance by {Plural.Of(count, "byte")}: the memory has {_lentBytes}.");
        }

        _lentBytes = 0;
        if (count > 0 && _apart.Memory is not null)
        {
            TakeIn(count);
        }

        Extend(count);
        EndLending();
    }

    // Where the stream has to grow, whole blocks: they become its next pieces, so that nothing is charged twice and Advance needs nothing. What had to be waited for is the stream's at once:
    // then nothing is apart.
    private Memory<byte> LendApart(long position, int bytes, long end)
    {
        PixelLease<byte> lease;
        if (end <= RentedBytes)
        {
            lease = Lease(bytes, 1, AllocationOptions.Contiguous);
        }
        else if (!TryLeaseBehind(position, (int)(((long)bytes + _blockBytes - 1) / _blockBytes), out lease))
        {
            return GetMemory(bytes);
        }

        var apart = new StreamPiece(lease);
        try
        {
            apart.Memory = apart.Lease.LendBytes();
            using (_gate.Hold())
            {
                // With room for what it may become.
                ThrowIfDisposed();
                Reserve(_pieceCount + apart.Lease.Height);
                _apart = apart;
            }

            return apart.Memory.Memory;
        }
        catch
        {
            apart.Dispose();
            throw;
        }
    }

    // False: what does not fit at once was waited for as one rent, and all of it is the stream's.
    private bool TryLeaseBehind(long position, int rows, out PixelLease<byte> apart)
    {
        int before = position == 0 && _pieceCount == 0 ? 0 : CountMissing(Math.Max(position, Math.Min(_smallBytes + 1L, _blockBytes)), out _);
        if (before == 0)
        {
            apart = Lease(_blockBytes, rows, AllocationOptions.Contiguous);
            return true;
        }

        if (TryLease(_blockBytes, rows, AllocationOptions.Contiguous, out apart))
        {
            bool isKept = false;
            try
            {
                if (TryKeepEach(_blockBytes, before) is { } replaced)
                {
                    replaced.Dispose();
                    isKept = true;
                    return true;
                }
            }
            finally
            {
                if (!isKept)
                {
                    apart.EndUnlessEnded();
                }
            }
        }

        Keep(new StreamPiece[before + rows], Lease(_blockBytes, before + rows, AllocationOptions.Contiguous)).Dispose();
        apart = default;
        return false;
    }

    // Copies what was written apart into the room that the stream has. What is left becomes its next pieces, in place.
    private void TakeIn(int count)
    {
        StreamPiece apart = TakeApart();
        StreamMemory? memory = apart.Memory;
        if (memory is null || apart.Lease.IsDisposed)
        {
            ThrowEnded();
        }

        ImageReference held = apart.Lease.HoldReference();
        try
        {
            Span<byte> bytes = memory.GetSpan().Slice(0, count);
            int room = (int)Math.Min(count, RentedBytes - _position);
            WriteAt(_position, bytes.Slice(0, room));
            if (room < count)
            {
                bytes.Slice(room).CopyTo(bytes);
                KeepBehind(apart.Lease);
                apart = default;
            }
        }
        finally
        {
            memory.End();
            held.Release();
            apart.Dispose();
        }
    }

    // What was lent would be waited for by the stream itself. Where the bytes lie in it, it ends afterwards.
    private void EndLendingOfOther(ReadOnlySpan<byte> bytes)
    {
        if (_apart.Memory is { } lent && !lent.GetSpan().Overlaps(bytes))
        {
            EndLending();
        }
    }

    private void EndLending()
    {
        _lentBytes = 0;
        if (_apart.Memory is not null)
        {
            ReturnApart();
        }
    }

    private void ReturnApart() => TakeApart().Dispose();

    private void KeepBehind(PixelLease<byte> rows)
    {
        using (_gate.Hold())
        {
            ThrowIfDisposed();
            SetRows(_pieces.AsSpan(_pieceCount, rows.Height), rows);
            _pieceCount += rows.Height;
        }
    }

    private StreamPiece TakeApart()
    {
        using (_gate.Hold())
        {
            StreamPiece apart = _apart;
            _apart = default;
            return apart;
        }
    }
}
