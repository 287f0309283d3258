using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Tiers;

namespace PixelPool;

// A scope's own budget, and scopes within it.
public sealed partial class RentScope
{
    /// <param name="allocator">Where the scope rents.</param>
    /// <param name="outer">The scope around it, if there is one.</param>
    /// <param name="guard">Holds what is reserved for it. The scope takes it over.</param>
    internal RentScope(PixelAllocator allocator, RentScope? outer, LifetimeGuard guard)
        : this(allocator, outer, ReservationTier.Of(guard))
    {
        // First, so it ends last: what is rented then was returned to the reservation before.
        _owned.Add(new ExternalCharge(guard));
    }

    /// <param name="allocator">Where the scope rents.</param>
    /// <param name="outer">The scope around it, if there is one.</param>
    /// <param name="budget">Its own budget, if it has one: within that which pays for the scope around it.</param>
    internal RentScope(PixelAllocator allocator, RentScope? outer, MemoryBudget? budget)
    {
        Throw.IfNull(allocator, nameof(allocator));
        Allocator = allocator;
        Payer = new RentPayer(outer?.Payer, budget ?? allocator.Requests.Budget);
    }

    /// <summary>The most bytes that the scope may rent and charge at once, or the bytes reserved for it. Null when it has no budget of its own.</summary>
    public long? MaxRentedBytes => OwnBudget?.LimitBytes;

    /// <summary>
    /// Bytes that count against <see cref="MaxRentedBytes"/> now: rented, external (<see cref="ChargeExternal"/>), and what inner scopes rented or reserved. 0
    /// when it has no budget of its own.
    /// </summary>
    public long ChargedBytes => OwnBudget?.ChargedBytes ?? 0;

    private MemoryBudget? OwnBudget => Payer.Budget is { IsRoot: false } own ? own : null;

    /// <summary>
    /// Charges the scope's budget with memory that other code holds, until the charge or the scope is disposed: see
    /// <see cref="PixelAllocator.ChargeExternal"/>. A reserved scope never waits: it throws if its reservation has no room.
    /// </summary>
    /// <param name="bytes">Bytes to charge; at least 1.</param>
    /// <returns>The charge. The caller disposes it when that memory is freed, if that is before the end of the scope.</returns>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public ExternalCharge ChargeExternal(long bytes) =>
        Own(this, Live.ChargeExternalFor(Payer, bytes));

    /// <summary>Opens a scope within this one, which is disposed with it. Its rents count against both: see <see cref="PixelAllocator.CreateScope"/>.</summary>
    /// <param name="maxBytes">The most bytes rented and charged at once; at least 1.</param>
    /// <returns>The scope. The caller disposes it, or the outer scope does.</returns>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    /// <exception cref="InvalidMemoryOperationException">More than 256 scopes would lie in one another.</exception>
    public RentScope CreateScope(long maxBytes) =>
        Own(this, Live.CreateScopeIn(this, maxBytes));

    /// <summary>
    /// Opens a scope within this one, which is disposed with it. Its bytes are reserved of this scope's budget and of all outer budgets: see
    /// <see cref="PixelAllocator.ReserveScope"/>.
    /// </summary>
    /// <param name="bytes">Bytes to reserve; at least 1.</param>
    /// <returns>The scope. The caller disposes it, or the outer scope does.</returns>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    /// <exception cref="InvalidMemoryOperationException">More than 256 scopes would lie in one another.</exception>
    public RentScope ReserveScope(long bytes) =>
        Own(this, Live.ReserveScopeIn(this, bytes));

    /// <summary>
    /// Opens a scope as <see cref="ReserveScope"/> does, as soon as the budgets have room: see <see cref="PixelAllocator.ReserveScopeAsync"/>.
    /// </summary>
    /// <param name="bytes">Bytes to reserve; at least 1.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The scope. The caller disposes it, or the outer scope does.</returns>
    /// <exception cref="ObjectDisposedException">The scope was disposed, before or while the request waited.</exception>
    /// <exception cref="InvalidMemoryOperationException">More than 256 scopes would lie in one another.</exception>
    public ValueTask<RentScope> ReserveScopeAsync(long bytes, CancellationToken cancellationToken = default) =>
        Live.ReserveScopeInAsync(this, bytes, cancellationToken);
}
