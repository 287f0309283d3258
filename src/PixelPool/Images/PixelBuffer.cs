using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool;

/// <summary>
/// An image of width × height pixels in pooled unmanaged memory. <see cref="PixelAllocator.Rent{TPixel}"/> returns it, <see cref="Dispose"/> gives it back.
/// </summary>
/// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
/// <remarks>
/// <para>
/// Rows lie in one or several blocks and never straddle two of them. They are reached through delegates
/// (<see cref="ProcessPixelRows(PixelAccessorAction{TPixel})"/>), so that no span outlives its memory.
/// </para>
/// <para>
/// Lifetime: the buffer holds one reference to its memory, and so does every view, pin and running delegate. The memory is returned when the last of them is
/// released, so disposing while a delegate runs is safe. A forgotten buffer is returned by a finalizer and counted as leaked. At most about a billion views and pins can use one rent at a time:
/// more throw <see cref="InvalidMemoryOperationException"/>.
/// </para>
/// <para>
/// Thread-safety: all members may be called from any thread at any time, even while another thread calls <see cref="Dispose"/>. Threads that write pixels which
/// others read must synchronize. Every member but <see cref="Dispose"/>, <see cref="AsReadOnly"/>, <see cref="ToString"/> and the plain properties throws <see cref="ObjectDisposedException"/> once the buffer
/// was disposed.
/// </para>
/// </remarks>
public sealed partial class PixelBuffer<TPixel> : IRentHandle, IReferencedImage
    where TPixel : unmanaged
{
    private readonly PixelLayout _layout;
    private readonly uint _version;

    // What it is of the rent: its owner, or for a view one of its references.
    private readonly int _holds;

    // Null once it was disposed. The guard serves later rents then, which nobody would find forgotten as long as something reaches it.
    private LifetimeGuard? _guard;

    /// <summary>Takes one reference on the rent over: the owner's, or that of a view.</summary>
    internal PixelBuffer(LifetimeGuard guard, uint version, in PixelLayout layout, int holds = LifetimeGuard.Owner)
    {
        _guard = guard;
        _version = version;
        _layout = layout;
        _holds = holds;
    }

    /// <summary>Width in pixels.</summary>
    public int Width => _layout.Width;

    /// <summary>Height in rows.</summary>
    public int Height => _layout.Height;

    /// <summary>Bytes from the start of a row to the start of the next one in the same block.</summary>
    public int Stride => _layout.Stride;

    /// <summary>Rows that one block has room for. For memory that is not a block of the pool, at least the rows of the image.</summary>
    public int RowsPerBlock => _layout.RowsPerBlock;

    /// <summary>Number of pieces of memory that the rows lie in.</summary>
    public int BlockCount => _layout.PieceCount;

    /// <summary>
    /// True when all rows are in one piece of memory, a constant <see cref="Stride"/> apart. Such pixels can be pinned. There may be gaps between rows.
    /// </summary>
    public bool IsContiguous => BlockCount == 1;

    /// <summary>
    /// Bytes of memory that are rented for the image: whole blocks, an array, a piece of a block, or memory from the system, not only the pixels. A budget is charged with them; for
    /// a piece, the allocator's budget with its whole block. For a view, the bytes of the whole image.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public long HeldBytes => AsLease().HeldBytes;

    /// <summary>True once <see cref="Dispose"/> was called.</summary>
    public bool IsDisposed => Volatile.Read(ref _guard) is not { } guard || !guard.IsCurrent(_version, _holds);

    /// <summary>Reads or writes one pixel. For more than a few pixels, process rows instead.</summary>
    /// <param name="x">The column: 0 to <see cref="Width"/> − 1.</param>
    /// <param name="y">The row: 0 to <see cref="Height"/> − 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such pixel.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public TPixel this[int x, int y]
    {
        get
        {
            using PixelReference pixels = Hold();
            return pixels.Access<TPixel>()[x, y];
        }

        set
        {
            using PixelReference pixels = Hold();
            pixels.Access<TPixel>()[x, y] = value;
        }
    }

    /// <summary>
    /// A rectangle of the image as a buffer of its own. It shares the memory and keeps it alive until it is disposed, even if the image is disposed before.
    /// </summary>
    /// <param name="x">The first column.</param>
    /// <param name="y">The first row.</param>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <returns>The view: a buffer of its own, which the caller disposes.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The rectangle is empty or not inside the image.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public PixelBuffer<TPixel> View(int x, int y, int width, int height) => AsLease().View(x, y, width, height).AsBuffer();

    /// <summary>
    /// The same memory as pixels of another type, as a buffer of its own: a colour as four bytes, bytes of a file as colours. It shares the memory and keeps it alive until it is disposed, even if
    /// the image is disposed before. Nothing is copied or converted.
    /// </summary>
    /// <typeparam name="TTo">The new pixel type: any unmanaged type. With <c>byte</c>, a row consists of its bytes.</typeparam>
    /// <returns>An image with the same number of rows and the same bytes in each row. In a view, a pixel can start at an address that is not a multiple of its size.</returns>
    /// <exception cref="InvalidMemoryOperationException">The number of bytes in a row is not a multiple of the size of <typeparamref name="TTo"/>.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public PixelBuffer<TTo> Cast<TTo>()
        where TTo : unmanaged =>
        AsLease().Cast<TTo>().AsBuffer();

    /// <summary>
    /// The image as a plane that has fewer rows than the others of its picture, as a buffer of its own: so <see cref="ProcessPixelRowsInParallel(PixelAccessorAction{TPixel}, int)"/> and its
    /// overloads accept it together with them. It shares the memory and keeps it alive until it is disposed, even if the image is disposed before.
    /// </summary>
    /// <param name="verticalFactor">How many rows of the picture one row of this plane belongs to: 1 to 255. 2 for the chroma planes of 4:2:0.</param>
    /// <returns>The same pixels. Planes of a <see cref="PlanarImage"/> need not be passed here: they are such planes already.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="verticalFactor"/> is not 1 to 255.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public PixelBuffer<TPixel> AsSubsampledPlane(int verticalFactor)
    {
        if (verticalFactor < 1 || verticalFactor > PixelLayout.MostRowsOfOne)
        {
            Throw.OutOfRange(nameof(verticalFactor), verticalFactor, $"{nameof(verticalFactor)} must be 1 to {PixelLayout.MostRowsOfOne}.");
        }

        return Part(_layout.Subsample(verticalFactor));
    }

    /// <summary>
    /// Fixes the pixels for native code and holds their memory until the pin is disposed. Any number of pins may exist at once. Images larger than a block must
    /// be rented with <see cref="AllocationOptions.Contiguous"/>. A view whose rows lie in one block can be pinned, too.
    /// </summary>
    /// <returns>The pin. The caller disposes it.</returns>
    /// <exception cref="InvalidMemoryOperationException">The pixels are not contiguous (<see cref="IsContiguous"/>).</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public PinnedPixels Pin() => AsLease().Pin();

    /// <summary>
    /// The buffer as a lease, for the members that take leases. No object is allocated. The lease shares the pixels, but does not hold them: it throws once the
    /// buffer was disposed. A lease of a view can be used for as long as anything holds the memory, for example another view. Disposing the lease does nothing.
    /// </summary>
    /// <returns>The lease. It ends with this buffer, and need not be disposed.</returns>
    /// <exception cref="ObjectDisposedException">The buffer was disposed.</exception>
    public PixelLease<TPixel> AsLease() => new(GuardOrThrow(), _version, in _layout, _holds);

    /// <summary>Returns this buffer as a read-only buffer. No object is allocated.</summary>
    /// <returns>A read-only wrapper of this buffer. It need not be disposed: it ends when this buffer is disposed.</returns>
    public ReadOnlyPixelBuffer<TPixel> AsReadOnly() => new(this);

    /// <summary>Gives the memory back as soon as no view, pin or running delegate uses it. Thread-safe. Only the first call does anything.</summary>
    /// <remarks>
    /// The end of the last use, here or of a view, a pin or a delegate, can throw: what an <see cref="PixelAllocatorOptions.ArrayPool"/> of the application or the release of <c>Wrap</c> throws,
    /// and, with <see cref="PixelAllocatorOptions.GuardedRentSampling"/>, <see cref="InvalidMemoryOperationException"/>. The memory is returned all the same.
    /// </remarks>
    public void Dispose()
    {
        // Threads that dispose the owner at the same time may all get that far: one of them ends the rent.
        if (_holds == LifetimeGuard.Owner)
        {
            if (_guard is { } guard)
            {
                _guard = null;
                MemoryReturn.TryEnd(guard, _version);
            }
        }
        else if (Interlocked.Exchange(ref _guard, null) is { } guard)
        {
            guard.TryRelease(_version, this);
        }
    }

    /// <summary>Size, bytes of the pixels, pieces of memory they lie in, and state, for debuggers.</summary>
    public override unsafe string ToString() =>
        $"{Width} x {Height} {TypeName.Of(typeof(TPixel))}, {ByteSize.Format((long)Width * Height * sizeof(TPixel))} in {Plural.Of(BlockCount, "piece")}"
        + (IsDisposed ? ", disposed" : string.Empty);

    PixelReference IReferencedImage.Hold() => Hold();

    /// <summary>A part of the memory of this buffer that is laid out otherwise. It has a reference of its own, as views have.</summary>
    /// <param name="layout">How its rows lie, counted from the start of the memory.</param>
    internal PixelBuffer<TPixel> Part(in PixelLayout layout) => AsLease().Part(in layout).AsBuffer();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private LifetimeGuard GuardOrThrow()
    {
        LifetimeGuard? guard = _guard;
        if (guard is null || !guard.IsCurrent(_version, _holds))
        {
            Throw.Returned(typeof(PixelBuffer<TPixel>));
        }

        return guard;
    }

    /// <summary>Adds a reference, for the duration of a call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal PixelReference Hold()
    {
        LifetimeGuard? guard = _guard;
        if (guard is null || !guard.TryAcquire(_version, _holds))
        {
            Throw.Returned(typeof(PixelBuffer<TPixel>));
        }

        return new PixelReference(guard, _version, in _layout);
    }

    /// <summary>Adds a reference, for the duration of a call of the application's delegate, which is looked at first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal PixelReference HoldFor(Delegate process)
    {
        Throw.IfNull(process, nameof(process));
        return Hold();
    }
}
