using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool;

/// <summary>
/// Width × height pixels in pooled unmanaged memory: the "image". Got from <see cref="PixelAllocator.Rent{TPixel}"/>, given back by <see cref="Dispose"/>.
/// </summary>
/// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
/// <remarks>
/// <para>
/// Rows lie in one or several blocks and never straddle two of them. They are reached through delegates
/// (<see cref="ProcessPixelRows(PixelAccessorAction{TPixel})"/>), so that no span outlives its memory.
/// </para>
/// <para>
/// Lifetime: the buffer holds one reference on its memory, and so does every view, pin and running delegate. The memory goes back when the
/// last of them is released: disposing inside or beside a delegate is safe. A buffer that is forgotten is returned by a finalizer and counted
/// as leaked.
/// </para>
/// <para>
/// Thread-safety: all members may be called from any thread at any time, also beside <see cref="Dispose"/>; who writes pixels coordinates
/// with those who read them. Every member but <see cref="Dispose"/> and the plain properties throws
/// <see cref="ObjectDisposedException"/> once the buffer was disposed.
/// </para>
/// </remarks>
public sealed partial class PixelBuffer<TPixel> : IRentHandle
    where TPixel : unmanaged
{
    private readonly LifetimeGuard _guard;
    private readonly PixelLayout _layout;
    private readonly uint _version;

    // The owner of the rent, or for a view one of its references: nothing, once the view was disposed.
    private int _holds;

    /// <summary>Takes one reference on the rent over: the owner's, or that of a view.</summary>
    internal PixelBuffer(LifetimeGuard guard, uint version, in PixelLayout layout, int holds = LifetimeGuard.Owner)
    {
        _guard = guard;
        _version = version;
        _layout = layout;
        _holds = holds;
    }

    /// <summary>Pixels of a row.</summary>
    public int Width => _layout.Width;

    /// <summary>Rows.</summary>
    public int Height => _layout.Height;

    /// <summary>Bytes from the start of a row to the start of the next one in the same block.</summary>
    public int Stride => _layout.Stride;

    /// <summary>Rows that one block has room for; of memory that is no block of the pool, those of the whole image.</summary>
    public int RowsPerBlock => _layout.RowsPerBlock;

    /// <summary>Pieces of memory the rows lie in.</summary>
    public int BlockCount => LastRow / RowsPerBlock - _layout.FirstRow / RowsPerBlock + 1;

    /// <summary>
    /// True when all rows are in one piece of memory, a constant <see cref="Stride"/> apart: such pixels can be pinned. There may be gaps between rows.
    /// </summary>
    public bool IsContiguous => BlockCount == 1;

    /// <summary>True once <see cref="Dispose"/> was called.</summary>
    public bool IsDisposed => !_guard.IsCurrent(_version, Volatile.Read(ref _holds));

    /// <summary>Reads or writes one pixel. For more than a few, go by rows.</summary>
    /// <param name="x">The column: 0 to <see cref="Width"/> − 1.</param>
    /// <param name="y">The row: 0 to <see cref="Height"/> − 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such pixel.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public TPixel this[int x, int y]
    {
        get
        {
            CheckPixel(x, y);
            Acquire();
            try
            {
                return Access().GetRowSpan(y)[x];
            }
            finally
            {
                Release();
            }
        }

        set
        {
            CheckPixel(x, y);
            Acquire();
            try
            {
                Access().GetRowSpan(y)[x] = value;
            }
            finally
            {
                Release();
            }
        }
    }

    /// <summary>
    /// A rectangle of the image as a buffer of its own: it shares the memory and keeps it alive until it is disposed, also when the image is disposed before.
    /// </summary>
    /// <param name="x">The first column.</param>
    /// <param name="y">The first row.</param>
    /// <param name="width">Columns; at least 1.</param>
    /// <param name="height">Rows; at least 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">The rectangle is empty or not inside the image.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public unsafe PixelBuffer<TPixel> View(int x, int y, int width, int height)
    {
        CheckRange(x, width, Width, nameof(x), nameof(width));
        CheckRange(y, height, Height, nameof(y), nameof(height));
        Acquire();
        try
        {
            var view = new PixelBuffer<TPixel>(_guard, _version, _layout.Cut(x * sizeof(TPixel), y, width, height), LifetimeGuard.Reference);
            _guard.OnHeld(view);
            return view;
        }
        catch
        {
            Release();
            throw;
        }
    }

    /// <summary>
    /// Gives the memory back, as soon as no view, pin or running delegate uses it. Idempotent and thread-safe; the last one of several simultaneous calls does nothing.
    /// </summary>
    public void Dispose()
    {
        if (Volatile.Read(ref _holds) == LifetimeGuard.Owner)
        {
            MemoryTiers.TryReturn(_guard, _version);
        }
        else if (Interlocked.Exchange(ref _holds, 0) != 0)
        {
            _guard.OnLetGo(this);
            _guard.TryRelease(_version);
        }
    }

    /// <summary>Size, bytes of the pixels, pieces of memory they lie in, and state, for debuggers.</summary>
    public override unsafe string ToString() =>
        $"{Width} x {Height} {TypeName.Of(typeof(TPixel))}, {ByteSize.Format((long)Width * Height * sizeof(TPixel))} in {Plural.Of(BlockCount, "piece")}"
        + (IsDisposed ? ", disposed" : string.Empty);

    private int LastRow => _layout.FirstRow + _layout.Height - 1;

    /// <summary>Adds a reference: the memory is valid until <see cref="Release"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Acquire()
    {
        if (!_guard.TryAcquire(_version, Volatile.Read(ref _holds)))
        {
            Throw.Returned(typeof(PixelBuffer<TPixel>));
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Release() => _guard.TryRelease(_version);

    /// <summary>The caller holds a reference.</summary>
    private PixelAccessor<TPixel> Access() => new(_guard, in _layout, firstRow: 0);

    /// <summary>The piece of memory in which a row lies, and how many bytes behind its start. The caller holds a reference.</summary>
    private int Locate(int y, out nint offset)
    {
        int row = _layout.FirstRow + y;
        int block = _guard.BlockCount > 1 ? _layout.BlockOf(row) : 0;
        offset = ((nint)(row - (block * RowsPerBlock)) * Stride) + _layout.ColumnBytes;
        return block;
    }

    private void CheckPixel(int x, int y)
    {
        if ((uint)x >= (uint)Width || (uint)y >= (uint)Height)
        {
            Throw.PixelOutOfRange(x, y, Width, Height);
        }
    }

    private static void CheckRange(int start, int length, int limit, string startName, string lengthName)
    {
        if ((uint)start >= (uint)limit)
        {
            Throw.OutOfRange(startName, start, $"The rectangle starts outside of the image: {startName} must be 0 to {limit - 1}.");
        }

        if (length < 1 || length > limit - start)
        {
            Throw.OutOfRange(lengthName, length, $"The rectangle is empty or leaves the image: {lengthName} must be 1 to {limit - start}.");
        }
    }
}
