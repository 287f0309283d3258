using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Threading;

namespace PixelPool;

/// <summary>
/// Owns everything that is rented through it and returns all of it together, also when an exception leaves the <c>using</c> block. Scopes made by
/// <see cref="PixelAllocator.CreateScope"/> and <see cref="PixelAllocator.ReserveScopeAsync"/> also have a budget of their own.
/// </summary>
/// <remarks>
/// What was rented may be disposed before: a scope that lives long remembers only what is not. Buffers that are to outlive the scope are rented from the
/// allocator instead. Thread-safe: buffers may be rented from several threads; a rent that loses a race with <see cref="Dispose"/> is returned and throws.
/// </remarks>
public sealed partial class RentScope : IRentHandle
{
    // What is disposed is looked for when the list has doubled since: that costs a moment per rent, and the list is never more than twice as long as needed.
    private const int FewHandles = 16;

    // Instead of when to look for what is disposed: the scope itself is.
    private const int Disposed = -1;

    private readonly PixelAllocator _allocator;

    // Nothing is added once the scope is disposed. Also where threads sleep that wait for the lock.
    private readonly List<IRentHandle> _owned = [];
#pragma warning disable IDE0044, CS0649 // a lock that is a word is changed in place
    private StripeLock _gate;
#pragma warning restore IDE0044, CS0649
    private int _pruneAt = FewHandles;

    /// <summary>Opens a scope without a budget of its own.</summary>
    /// <param name="allocator">Where the scope rents.</param>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public RentScope(PixelAllocator allocator)
    {
        Throw.IfNull(allocator, nameof(allocator));
        allocator.ThrowIfDisposed();
        _allocator = allocator;
    }

    /// <summary>Rents an image that is returned with the scope, with the parameters and errors of <see cref="PixelAllocator.Rent{TPixel}"/>.</summary>
    /// <typeparam name="TPixel">The type of a pixel.</typeparam>
    /// <param name="width">Pixels of a row; at least 1.</param>
    /// <param name="height">Rows; at least 1.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public PixelBuffer<TPixel> Rent<TPixel>(int width, int height, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged
    {
        ThrowIfDisposed();
        return Own(_allocator.RentFor<TPixel>(this, width, height, options));
    }

    /// <summary>Rents an image that is returned with the scope, if the budgets have room for it: see <see cref="PixelAllocator.TryRent{TPixel}"/>.</summary>
    /// <typeparam name="TPixel">The type of a pixel.</typeparam>
    /// <param name="width">Pixels of a row; at least 1.</param>
    /// <param name="height">Rows; at least 1.</param>
    /// <param name="buffer">The image.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <returns>False when the scope's or the allocator's budget has no room.</returns>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public bool TryRent<TPixel>(
        int width, int height, [NotNullWhen(true)] out PixelBuffer<TPixel>? buffer, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged
    {
        ThrowIfDisposed();
        if (!_allocator.TryRentFor(this, width, height, out buffer, options))
        {
            return false;
        }

        Own(buffer);
        return true;
    }

    /// <summary>
    /// Rents an image that is returned with the scope, as soon as the budgets have room for it: see <see cref="PixelAllocator.RentAsync{TPixel}"/>. In a reserved
    /// scope nothing waits: what does not fit is refused.
    /// </summary>
    /// <typeparam name="TPixel">The type of a pixel.</typeparam>
    /// <param name="width">Pixels of a row; at least 1.</param>
    /// <param name="height">Rows; at least 1.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed, before or while the request waited.</exception>
    public ValueTask<PixelBuffer<TPixel>> RentAsync<TPixel>(
        int width, int height, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
        where TPixel : unmanaged
    {
        ThrowIfDisposed();
        ValueTask<PixelBuffer<TPixel>> rent = _allocator.RentForAsync<TPixel>(this, width, height, options, cancellationToken);
        return rent.IsCompletedSuccessfully ? new ValueTask<PixelBuffer<TPixel>>(Own(rent.Result)) : OwnLaterAsync(rent);
    }

    /// <summary>Allocates memory that is returned with the scope, with the parameters and errors of <see cref="PixelAllocator.Allocate{T}"/>.</summary>
    /// <typeparam name="T">The type of an element.</typeparam>
    /// <param name="length">Elements; 0 or more.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public IMemoryOwner<T> Allocate<T>(int length, AllocationOptions options = AllocationOptions.None)
        where T : unmanaged
    {
        ThrowIfDisposed();
        return (IMemoryOwner<T>)Own((IRentHandle)_allocator.AllocateFor<T>(this, length, options));
    }

    /// <summary>
    /// Returns everything, the last rented first, and ends requests that wait in the scope. Idempotent. What an application's own ArrayPool throws is thrown
    /// when all of that is done.
    /// </summary>
    public void Dispose()
    {
        if (!TryClose())
        {
            return;
        }

        ExceptionDispatchInfo? failure = null;
        for (int i = _owned.Count - 1; i >= 0; i--)
        {
            try
            {
                _owned[i].Dispose();
            }
#pragma warning disable CA1031 // An array that is refused must not keep the others, and the reservation, from being returned.
            catch (Exception e)
            {
                failure ??= ExceptionDispatchInfo.Capture(e);
            }
#pragma warning restore CA1031
        }

        _owned.Clear();
        _waitRoom?.Close();
        failure?.Throw();
    }

    /// <summary>Whose scope it is, how much of its budget is charged, and state, for debuggers.</summary>
    public override string ToString() =>
        $"{(_ownBudget is { IsReservation: true } ? "Reserved scope" : "Scope")} of {_allocator.Name}"
        + (_ownBudget is { } own ? $": {ByteSize.Format(own.ChargedBytes)} of {ByteSize.Format(own.LimitBytes)} charged" : string.Empty)
        + (IsDisposed ? ", disposed" : string.Empty);

    bool IRentHandle.IsDisposed => IsDisposed;

    private bool IsDisposed => Volatile.Read(ref _pruneAt) == Disposed;

    private bool TryClose()
    {
        _gate.Enter(_owned);
        bool closed = !IsDisposed;
        Volatile.Write(ref _pruneAt, Disposed);
        _gate.Exit(_owned);
        return closed;
    }

    private async ValueTask<PixelBuffer<TPixel>> OwnLaterAsync<TPixel>(ValueTask<PixelBuffer<TPixel>> rent)
        where TPixel : unmanaged =>
        Own(await rent.ConfigureAwait(false));

    internal THandle Own<THandle>(THandle handle)
        where THandle : IRentHandle
    {
        bool owned = false;
        try
        {
            owned = TryAdd(handle);
        }
        finally
        {
            if (!owned)
            {
                handle.Dispose();
            }
        }

        ThrowIfDisposed();
        return handle;
    }

    private bool TryAdd(IRentHandle handle)
    {
        _gate.Enter(_owned);
        try
        {
            if (IsDisposed)
            {
                return false;
            }

            Prune();
            _owned.Add(handle);
            return true;
        }
        finally
        {
            _gate.Exit(_owned);
        }
    }

    private void Prune()
    {
        if (_owned.Count == _pruneAt)
        {
            _owned.RemoveAll(static handle => handle.IsDisposed);
            _pruneAt = Math.Max(FewHandles, 2 * _owned.Count);
        }
    }

    private void ThrowIfDisposed()
    {
        if (IsDisposed)
        {
            Throw.Disposed(nameof(RentScope));
        }
    }
}
