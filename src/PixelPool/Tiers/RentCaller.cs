using PixelPool.Budgets;
using PixelPool.Lifetime;

namespace PixelPool.Tiers;

/// <summary>Who asks for memory and has to wait for it: a scope, or nobody that is known; and the thread, if it is blocked meanwhile.</summary>
internal sealed class RentCaller(GuardRegistry guards, IRentPayer? payer, RentTrace? trace, bool blocksThread, IPieceSource? pieces) : IWaitCaller
{
    private const int NoThread = 0;

    /// <summary>What is remembered of the place that asks.</summary>
    public RentTrace? Trace => trace;

    /// <summary>What the rent will be for.</summary>
    public string? Tag => payer?.Tag;

    /// <summary>The thread that is blocked; 0 for none.</summary>
    public int Thread { get; } = blocksThread ? Environment.CurrentManagedThreadId : NoThread;

    /// <inheritdoc/>
    public string? DisposedType => payer?.DisposedType;

    /// <inheritdoc/>
    public IPieceSource? Pieces => pieces;

    /// <inheritdoc/>
    /// <remarks>Of asynchronous code without a scope it is not known: it goes on on any thread.</remarks>
    public long HeldBytes
    {
        get
        {
            var held = new HashSet<object>();
            AddOwned(held);
            if (Thread != NoThread)
            {
                // Loops, and no enumerators by interface: a type initializer of theirs that fails for lack of memory has failed for good.
                foreach (LifetimeGuard guard in guards.Reachable())
                {
                    if (guard.IsRented && guard.RentedBy == Thread)
                    {
                        held.Add(guard);
                    }
                }
            }

            long bytes = 0;
            foreach (object guard in held)
            {
                bytes += guard is LifetimeGuard { IsCharged: true } charged ? charged.HeldBytes : 0;
            }

            return bytes;
        }
    }

    /// <summary>Adds the guards of what the scope owns.</summary>
    public void AddOwned(HashSet<object> guards) => payer?.AddOwned(guards);
}
