using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>
/// Owns everything that is rented through it and returns all of it together, even if an exception leaves the <c>using</c> block. Scopes made by
/// <see cref="PixelAllocator.CreateScope"/>, <see cref="PixelAllocator.ReserveScope"/> and <see cref="PixelAllocator.ReserveScopeAsync"/> also have a budget of their own.
/// </summary>
/// <remarks>
/// Buffers may be disposed before the scope; a scope that lives long remembers only those that are not. Buffers that must outlive the scope are rented from the
/// allocator instead. Thread-safe: several threads may rent at once. A rent that runs at the same time as <see cref="Dispose"/> may throw; its memory is
/// returned then. If a scope is forgotten, finalizers return its rents one by one. Each of them counts as leaked.
/// </remarks>
public sealed partial class RentScope : IRentHandle
{
    /// <summary>The scope as its rents know it. Held while what is owned changes; nothing is added once it has ended.</summary>
    internal readonly RentPayer Payer;

    private ScopeList<IRentHandle> _owned;
    private ScopeList<ScopeLease> _leases;

    /// <summary>Opens a scope without a budget of its own.</summary>
    /// <param name="allocator">Where the scope rents.</param>
    /// <exception cref="ArgumentNullException"><paramref name="allocator"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public RentScope(PixelAllocator allocator)
        : this(allocator, outer: null, budget: null)
    {
        allocator.ThrowIfDisposed();
    }

    /// <summary>Where the scope rents.</summary>
    public PixelAllocator Allocator { get; }

    /// <summary>
    /// What the scope's rents are for, such as the request or the tenant. Reports of what is held and of leaks have it
    /// (<see cref="Diagnostics.RentRecord.Tag"/>), and so do events. It applies to everything that is rented, allocated, charged or reserved through the scope
    /// after it was set. Default: the tag of the outer scope, or null if there is none.
    /// </summary>
    /// <remarks>Reports and logs contain the text as it is: do not use text that a client chooses, which may contain line breaks.</remarks>
    public string? Tag
    {
        get => Payer.Tag;
        set => Payer.Tag = value;
    }

    /// <summary>Rents an image that is returned with the scope, with the parameters and errors of <see cref="PixelAllocator.Rent{TPixel}"/>.</summary>
    /// <typeparam name="TPixel">The type of a pixel.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public PixelBuffer<TPixel> Rent<TPixel>(int width, int height, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        Own(this, Live.RentFor<TPixel>(Payer, width, height, options));

    /// <summary>Rents an image that is returned with the scope, if the budgets have room for it: see <see cref="PixelAllocator.TryRent{TPixel}"/>.</summary>
    /// <typeparam name="TPixel">The type of a pixel.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="buffer">The image.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <returns>False when the scope's or the allocator's budget has no room.</returns>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public bool TryRent<TPixel>(
        int width, int height, [NotNullWhen(true)] out PixelBuffer<TPixel>? buffer, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged =>
        Live.TryRentFor(this, width, height, out buffer, options);

    /// <summary>
    /// Rents an image that is returned with the scope, as soon as the budgets have room for it: see <see cref="PixelAllocator.RentAsync{TPixel}"/>. A reserved
    /// scope never waits: it throws if its reservation has no room.
    /// </summary>
    /// <typeparam name="TPixel">The type of a pixel.</typeparam>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="options">Requirements on the memory. Default: none.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed, before or while the request waited.</exception>
    public ValueTask<PixelBuffer<TPixel>> RentAsync<TPixel>(
        int width, int height, AllocationOptions options = AllocationOptions.None, CancellationToken cancellationToken = default)
        where TPixel : unmanaged =>
        Live.TakeAsync(Payer, width, height, Unsafe.SizeOf<TPixel>(), options, this, BufferOf<TPixel>, cancellationToken);

    /// <summary>
    /// Returns everything: first all leases, then everything else, each in reverse order of renting. Requests that wait in the scope throw <see cref="ObjectDisposedException"/>. Calling it
    /// again does nothing.
    /// </summary>
    /// <remarks>It can throw as <see cref="PixelBuffer{TPixel}.Dispose"/> can, after everything was returned.</remarks>
    public void Dispose()
    {
        using (Payer.Hold())
        {
            if (Payer.HasEnded)
            {
                return;
            }

            Payer.HasEnded = true;
        }

        Allocator.Requests.EndThoseOfDisposed();
        try
        {
            _leases.Return();
        }
        finally
        {
            _owned.Return();
        }
    }

    /// <summary>Whose scope it is, how much of its budget is charged, and state, for debuggers.</summary>
    public override string ToString() =>
        $"{(OwnBudget is { IsReservation: true } ? "Reserved scope" : "Scope")} of {Allocator.Name}"
        + (OwnBudget is { } own ? $": {ByteSize.Format(own.ChargedBytes)} of {ByteSize.Format(own.LimitBytes)} charged" : string.Empty)
        + (Payer.HasEnded ? ", disposed" : string.Empty);

    bool IRentHandle.IsDisposed => Payer.HasEnded;

    /// <summary>Where it rents as long as it is open.</summary>
    /// <exception cref="ObjectDisposedException">It was disposed.</exception>
    internal PixelAllocator Live
    {
        get
        {
            ThrowIfDisposed();
            return Allocator;
        }
    }

    // A method, as the others that make what was waited for: where there is no memory for what makes a lambda, it fails for good.
    internal static PixelBuffer<TPixel> BufferOf<TPixel>(RentScope? scope, LifetimeGuard guard, PixelLayout layout)
        where TPixel : unmanaged =>
        Own(scope, new PixelBuffer<TPixel>(guard, guard.Version, in layout));

    /// <summary>What a scope rented is owned by it; what no scope rented is nobody's.</summary>
    internal static THandle Own<THandle>(RentScope? scope, THandle handle)
        where THandle : class
    {
        scope?.Add(ref scope._owned, (IRentHandle)handle);
        return handle;
    }

    // What the scope cannot own any more goes back at once.
    private void Add<TOwned>(ref ScopeList<TOwned> list, TOwned handle)
        where TOwned : IRentHandle
    {
        try
        {
            using (Payer.Hold())
            {
                ThrowIfDisposed();
                list.Add(handle);
            }
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    private void ThrowIfDisposed() => Throw.IfDisposed(Payer.HasEnded, nameof(RentScope));
}
