using PixelPool.Budgets;
using PixelPool.Lifetime;

namespace PixelPool.Tiers;

/// <summary>Who asks for memory and has to wait for it: a scope, or nobody that is known; and the thread, if it is blocked meanwhile.</summary>
internal sealed class RentCaller(GuardRegistry guards, RentPayer? payer, RentTrace? trace, bool blocksThread, IPieceSource? pieces) : IWaitCaller
{
    // The thread that is blocked; 0 for none.
    private readonly int _thread = blocksThread ? Environment.CurrentManagedThreadId : 0;

    /// <summary>What is remembered of the place that asks.</summary>
    public RentTrace? Trace => trace;

    /// <summary>What the rent will be for.</summary>
    public string? Tag => payer?.Tag;

    /// <inheritdoc/>
    /// <remarks>A scope is all that rents for itself.</remarks>
    public string? DisposedType => payer is { HasEnded: true } ? "RentScope" : null;

    /// <inheritdoc/>
    public IPieceSource? Pieces => pieces;

    /// <inheritdoc/>
    /// <remarks>Of asynchronous code without a scope it is not known: it goes on on any thread.</remarks>
    public long HeldBytes
    {
        get
        {
            long bytes = 0;
            if (_thread != 0 || payer is not null)
            {
                // A loop, and no enumerator by interface: a type initializer of that that fails for lack of memory has failed for good.
                foreach (LifetimeGuard guard in guards.Reachable())
                {
                    bytes += guard.IsCharged && Made(guard) ? guard.HeldBytes : 0;
                }
            }

            return bytes;
        }
    }

    /// <summary>Whether it made a rent, on its thread or through its scope, and has not disposed it: views and pins may be anybody's.</summary>
    public bool Made(LifetimeGuard rent) =>
        (rent.RentedBy == _thread && rent.IsCurrent(rent.Version, LifetimeGuard.Owner)) || (payer is not null && rent.IsOf(payer));
}
