using PixelPool.Budgets;
using PixelPool.Diagnostics;

namespace PixelPool.Lifetime;

// What is remembered of the rent for reports, and how others read it while it may end.
internal sealed partial class LifetimeGuard
{
    /// <summary>True when the rent that begins is sampled before it is handed out.</summary>
    public bool IsSampled => (_flags & RentFlags.Sample) != 0;

    /// <summary>Says who rented, and what for. For those who begin the rent.</summary>
    public void SetPayer(RentPayer payer)
    {
        if (payer.Budget is not null)
        {
            // Otherwise nobody waits, and nobody asks.
            _rare.Scope = payer;
            Volatile.Write(ref _rare.ScopeVersion, Version);
        }

        if (payer.Tag is { } tag)
        {
            _flags |= RentFlags.Remembered;
            Volatile.Write(ref _rare.Tag, tag);
        }
    }

    /// <summary>Whether a scope made the rent that runs, or one that lies in it, and has not disposed it. A hint: the rent may end meanwhile.</summary>
    public bool IsOf(RentPayer scope)
    {
        uint version = Version;
        return Volatile.Read(ref _rare.ScopeVersion) == version && IsCurrent(version, Owner) && _rare.Scope?.LiesIn(scope) == true;
    }

    /// <summary>Whether a rent runs. A hint: it may end meanwhile.</summary>
    public bool IsRented => References(Volatile.Read(ref _state)) != 0;

    /// <summary>The thread that made the rent.</summary>
    public int RentedBy => Volatile.Read(ref _rentedBy);

    /// <summary>Asks for a look at the rent that begins.</summary>
    public void RequestSample() => _flags |= RentFlags.Sample;

    /// <summary>Tells the listener of a rent that it is to look at, and then of its end.</summary>
    public void Sample()
    {
        IRentListener listener = _rare.Registry.Listener;
        bool announced = listener.OnRented(HeldBytes, Tier!.SourceOf(this), _rare.Tag);
        _flags = (_flags & ~RentFlags.Sample) | (announced ? RentFlags.Announced : 0);
        try
        {
            Trace(listener.TryTrace(isRare: false));
        }
        catch (OutOfMemoryException)
        {
            // Then nothing is remembered of it.
        }
    }

    /// <summary>The rent is that of a request that waited.</summary>
    /// <param name="asked">What is remembered of who asked.</param>
    public void OnGranted(RentTrace? asked) => Trace(_rare.Registry.Listener.OnGranted(asked, IsTraced));

    /// <summary>Whether the rent, or the memory that is kept, counts against a budget: the allocator's own, or any that is given.</summary>
    public bool IsCharged => Tier?.IsCharged == true;

    /// <summary>Whether the rent counts against this budget, and not as a part of a reservation that does.</summary>
    /// <param name="budget">A <see cref="MemoryBudget"/>.</param>
    public bool CountsAgainst(object budget) =>
        budget is MemoryBudget { IsRoot: false } nested ? IsCharged && Volatile.Read(ref _rare.Payee)?.CountsIn(nested) == true : CountsByItself;

    /// <summary>True when something is remembered of the rent.</summary>
    private bool IsTraced => Volatile.Read(ref _rare.Trace) is not null;

    /// <summary>A view or a pin was made, with a reference of its own: may record where.</summary>
    /// <exception cref="InvalidMemoryOperationException">There are too many. They may never be disposed, and cost no memory then. The reference is still the caller's.</exception>
    public void OnHeld(object holder)
    {
        if (References(Volatile.Read(ref _state)) >= MostReferences)
        {
            Throw.InvalidMemoryOperation("More than a billion views and pins use one rent: most of them were never disposed.");
        }

        try
        {
            if (IsTraced && _rare.Registry.Listener.TryTrace(isRare: false) is { } trace)
            {
                (Volatile.Read(ref _rare.Holds) ?? Interlocked.CompareExchange(ref _rare.Holds, new HoldTraces(), null) ?? _rare.Holds).Add(holder, trace);
            }
        }
        catch (OutOfMemoryException)
        {
            // The view or the pin is more important than its place.
        }
    }

    /// <summary>As <see cref="TryRelease(uint)"/>, of a view or a pin that ends.</summary>
    public bool TryRelease(uint version, object holder)
    {
        Volatile.Read(ref _rare.Holds)?.Remove(holder);
        return TryRelease(version);
    }

    /// <summary>Reads the rent that runs, whole: all of it belongs to one rent, also when that ends or another one begins meanwhile.</summary>
    /// <returns>False when none runs, or it ended meanwhile.</returns>
    public bool TryReadRent(out RentFacts rent)
    {
        // What a rent holds is written before its first reference, which makes it current, and changed after its last one.
        long before = Volatile.Read(ref _state);
        rent = ReadRent(before);
        Interlocked.MemoryBarrier();
        return References(before) != 0 && before >>> 32 == Volatile.Read(ref _state) >>> 32;
    }

    // Remembers something of the rent, until it ends.
    private void Trace(RentTrace? trace)
    {
        if (trace is not null)
        {
            _flags |= RentFlags.Remembered;
            Volatile.Write(ref _rare.Trace, trace);
        }
    }

    private RentFacts ReadRent(long state)
    {
        RentHolder holder = ((int)state & Owner) != 0 ? RentHolder.Owner : RentHolder.View;
        return new RentFacts(
            HeldBytes,
            Tier?.Kind ?? RentKind.Memory,
            CountsByItself,
            Volatile.Read(ref _rare.Tag),
            Volatile.Read(ref _rare.Trace),
            holder,
            holder == RentHolder.View ? Volatile.Read(ref _rare.Holds)?.Oldest : null);
    }

    private bool CountsByItself => IsCharged && Volatile.Read(ref _rare.Payee)?.IsReservedPart != true;
}
