using System.Buffers;
using PixelPool.Native;

namespace PixelPool;

// Memory for writers: IBufferWriter<T>.
public sealed partial class PixelPoolStream
{
    // What was lent last and may be advanced over. It lies at the position, or behind the content where the bytes would go over the end of a piece.
    private int _lentBytes;
    private long _lentAt;

    /// <summary>
    /// Returns memory at <see cref="Position"/> to write to. <see cref="Advance"/> makes the written bytes part of the stream. Reading, writing, copying, seeking,
    /// and setting the position or the length end it: <see cref="Advance"/> throws then.
    /// </summary>
    /// <param name="sizeHint">The fewest bytes that it must have. Default: 0, which means any number above 0.</param>
    /// <returns>
    /// Memory that is valid until the stream is used otherwise, or disposed. Behind the end of the stream its content is undefined. Before the end it may be the
    /// content itself: what is written there stays, even without <see cref="Advance"/>. It is room of the stream, and stays that if it is not used. No array lies behind it: <c>MemoryMarshal.TryGetArray</c> returns false.
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
        int bytes = Math.Max(1, sizeHint);
        long end = BeginWrite(bytes);
        long at = _position;
        Memory<byte> memory = end <= RentedBytes ? MemoryAt(at) : default;
        if (memory.Length < bytes)
        {
            at = FindRoom(bytes);
            EnsureCapacity(Math.Max(end, at + bytes), (at % BlockBytes) + bytes <= BlockBytes ? AllocationOptions.None : AllocationOptions.Contiguous)?.Dispose();
            memory = MemoryAt(at);
        }

        _lentAt = at;
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
        if (count > 0 && _lentAt != _position)
        {
            // All that was lent lies side by side in one rent, which is held while it is copied.
            StreamPiece lent = PieceAt(_lentAt, out int offset);
            using PixelReference held = lent.Hold(offset, 0, out _);
            WriteAt(_position, lent.Memory.Span.Slice(offset, count));
        }

        Extend(count);
    }

    // Where so many bytes, for which there is no room at the position, can lie side by side: where the stream grows anyway, or in blocks behind the content. No memory reaches further than 2 GiB from the begin of its block,
    // and there is none where nothing can be addressed.
    private long FindRoom(int bytes)
    {
        if ((SmallPiece is not null || _position >= RentedBytes) && ((_position % BlockBytes) + (long)bytes <= int.MaxValue || _position > BlockSource.MaxBytes))
        {
            return _position;
        }

        long at = (Math.Max(_position, _length) + BlockBytes - 1) / BlockBytes * BlockBytes;
        while (at < RentedBytes && MemoryAt(at).Length < bytes)
        {
            at += BlockBytes;
        }

        return at;
    }
}
