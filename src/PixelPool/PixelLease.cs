using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool;

/// <summary>
/// A rented image as a struct: what a <see cref="PixelBuffer{TPixel}"/> is, without an object on the managed heap. Got from
/// <see cref="PixelAllocator.Lease{TPixel}"/>, given back by <see cref="Dispose"/>, once.
/// </summary>
/// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
/// <remarks>
/// <para>
/// For code that rents thousands of images a second and knows who returns each of them. Copies are the same lease: once one of them was disposed,
/// using any of them throws <see cref="ObjectDisposedException"/>, also after the memory was rented again by somebody else. A second <see cref="Dispose"/> is
/// found, too: it does nothing, and is counted and told. A lease that is forgotten is returned by a finalizer and counted as leaked. The default value holds nothing: disposing it does
/// nothing, everything else throws. Do not dispose a lease in a finalizer: when everything is forgotten together, its memory may be back already.
/// </para>
/// <para>
/// Thread-safety is that of <see cref="PixelBuffer{TPixel}"/>, for the memory. A variable that holds a lease is larger than a word: threads that
/// share one coordinate.
/// </para>
/// </remarks>
public readonly struct PixelLease<TPixel> : IDisposable
    where TPixel : unmanaged
{
    private readonly LifetimeGuard? _guard;
    private readonly PixelLayout _layout;
    private readonly uint _version;

    /// <summary>Takes the owner's reference on the rent over.</summary>
    internal PixelLease(LifetimeGuard guard, uint version, in PixelLayout layout)
    {
        _guard = guard;
        _version = version;
        _layout = layout;
    }

    /// <summary>Pixels of a row; 0 of the default value.</summary>
    public int Width => _layout.Width;

    /// <summary>Rows; 0 of the default value.</summary>
    public int Height => _layout.Height;

    /// <summary>Bytes from the start of a row to the start of the next one in the same block.</summary>
    public int Stride => _layout.Stride;

    /// <summary>Rows that one block has room for; of memory that is no block of the pool, those of the whole image.</summary>
    public int RowsPerBlock => _layout.RowsPerBlock;

    /// <summary>Pieces of memory the rows lie in; 0 of the default value.</summary>
    public int BlockCount => Height == 0 ? 0 : ((Height - 1) / RowsPerBlock) + 1;

    /// <summary>True when all rows are in one piece of memory, a constant <see cref="Stride"/> apart.</summary>
    public bool IsContiguous => BlockCount == 1;

    /// <summary>True once the lease, or a copy of it, was disposed; and of the default value.</summary>
    public bool IsDisposed => _guard is null || !_guard.IsCurrent(_version, LifetimeGuard.Owner);

    /// <summary>Calls a delegate with the pixels, on this thread.</summary>
    /// <param name="process">Gets the pixels. It may dispose the lease; the memory stays valid until it returns.</param>
    /// <exception cref="ObjectDisposedException">The lease was disposed before the call.</exception>
    public void ProcessPixelRows(PixelAccessorAction<TPixel> process)
    {
        Throw.IfNull(process, nameof(process));

        // Of a copy, because the delegate may assign the variable that holds this lease.
        uint version = _version;
        PixelLayout layout = _layout;
        LifetimeGuard guard = Acquire();
        try
        {
            process(new PixelAccessor<TPixel>(guard, in layout, firstRow: 0));
        }
        finally
        {
            guard.TryRelease(version);
        }
    }

    /// <summary>Calls a delegate with the pixels and a state, on this thread. With a static lambda nothing is allocated.</summary>
    /// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Gets the pixels. It may dispose the lease; the memory stays valid until it returns.</param>
    /// <exception cref="ObjectDisposedException">The lease was disposed before the call.</exception>
    public void ProcessPixelRows<TState>(TState state, PixelAccessorStateAction<TPixel, TState> process)
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        Throw.IfNull(process, nameof(process));

        // Of a copy, because the delegate may assign the variable that holds this lease.
        uint version = _version;
        PixelLayout layout = _layout;
        LifetimeGuard guard = Acquire();
        try
        {
            process(new PixelAccessor<TPixel>(guard, in layout, firstRow: 0), state);
        }
        finally
        {
            guard.TryRelease(version);
        }
    }

    /// <summary>
    /// The whole image as a buffer, for everything a lease has no member for: it shares the memory and keeps it alive until it is disposed, also when
    /// the lease is disposed before. Costs one object.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public PixelBuffer<TPixel> AsBuffer()
    {
        LifetimeGuard guard = Acquire();
        try
        {
            var buffer = new PixelBuffer<TPixel>(guard, _version, in _layout, LifetimeGuard.Reference);
            guard.OnHeld(buffer);
            return buffer;
        }
        catch
        {
            guard.TryRelease(_version);
            throw;
        }
    }

    /// <summary>
    /// Gives the memory back, as soon as no view, pin or running delegate uses it. Does not throw. Disposing the lease, or a copy of it, a second time does
    /// nothing: it is counted (<see cref="PixelPoolStatistics.SecondReturns"/>) and told by the event source "PixelPool" and by <see cref="LeakTracker"/>,
    /// because an exception here would hide the one that leaves a <c>using</c> block.
    /// </summary>
    public void Dispose()
    {
        if (_guard is not null && !MemoryTiers.TryReturn(_guard, _version))
        {
            _guard.TellSecondReturn();
        }
    }

    /// <summary>Size, bytes of the pixels, and state, for debuggers.</summary>
    public override unsafe string ToString() => _guard is null
        ? $"0 x 0 {TypeName.Of(typeof(TPixel))}, never rented"
        : $"{Width} x {Height} {TypeName.Of(typeof(TPixel))}, {ByteSize.Format((long)Width * Height * sizeof(TPixel))}"
            + (IsDisposed ? ", disposed" : string.Empty);

    private LifetimeGuard Acquire()
    {
        if (_guard is null)
        {
            Throw.NeverRented(typeof(PixelLease<TPixel>));
        }

        if (!_guard.TryAcquire(_version, LifetimeGuard.Owner))
        {
            Throw.Returned(typeof(PixelLease<TPixel>));
        }

        return _guard;
    }
}
