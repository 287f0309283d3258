using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ModelBased;

// Scopes and budgets.
internal sealed partial class AllocatorSubject
{
    private KnownScope? FindOpenScope(int which)
    {
        List<KnownScope> open = _scopes.FindAll(static scope => !scope.IsClosed);
        int index = which % (open.Count + 1);
        return index == open.Count ? null : open[index];
    }

    private void Charge(Command<AllocatorAct> command)
    {
        KnownScope? scope = FindOpenScope(command.Which);
        long bytes = Math.Max(1, command.Size);
        bool fits = Fits(scope, bytes);
        try
        {
            ExternalCharge charge = scope is null ? _allocator.ChargeExternal(bytes) : scope.Scope.ChargeExternal(bytes);
            Assert.True(fits, "charged, although it does not fit");
            Add(new ChargeHandle(charge, new RentedMemory(bytes, scope?.Payer, 0) { IsExternal = true }) { Scope = scope });
        }
        catch (PixelBudgetExceededException)
        {
            Assert.False(fits, "refused, although it fits");
            _refusals++;
        }
    }

    private void Open(Command<AllocatorAct> command)
    {
        KnownScope? outer = FindOpenScope(command.Which);
        long bytes = Math.Max(1, command.Size);
        switch (command.Form % 3)
        {
            case 0:
                _scopes.Add(new KnownScope(new RentScope(_allocator), Outer: null, LimitBytes: null, IsReservation: false));
                break;
            case 1:
                RentScope scope = outer is null ? _allocator.CreateScope(bytes) : outer.Scope.CreateScope(bytes);
                _scopes.Add(new KnownScope(scope, outer, bytes, IsReservation: false));
                break;
            default:
                Reserve(outer, bytes);
                break;
        }
    }

    private void Reserve(KnownScope? outer, long bytes)
    {
        bool fits = Fits(outer, bytes);
        try
        {
            RentScope scope = outer is null ? _allocator.ReserveScope(bytes) : outer.Scope.ReserveScope(bytes);
            Assert.True(fits, "reserved, although it does not fit");
            _scopes.Add(new KnownScope(scope, outer, bytes, IsReservation: true));
        }
        catch (PixelBudgetExceededException)
        {
            Assert.False(fits, "refused, although it fits");
            _refusals++;
        }
    }

    // With everything that was rented through it, and the scopes within it. Views and pins stay.
    private void Close(KnownScope scope)
    {
        scope.Scope.Dispose();
        foreach (KnownScope within in _scopes.FindAll(other => other.IsWithin(scope)))
        {
            within.IsClosed = true;
            _handles.FindAll(handle => handle.Scope == within).ForEach(Remove);
        }

        // Those within before those around them.
        for (int i = _scopes.Count - 1; i >= 0; i--)
        {
            KnownScope last = _scopes[i];
            if (last.IsClosed && !Inner(last).Any() && _memories.TrueForAll(memory => memory.Payer != last))
            {
                _scopes.RemoveAt(i);
            }
        }
    }

    // Each budget holds what is rented through it, and what the scopes within it take of it.
    private void CheckBudgets(PixelPoolStatistics statistics)
    {
        Assert.Equal(HasBudget ? ChargedBytes : 0, statistics.ChargedBytes);
        Assert.InRange(statistics.ChargedBytes, 0, BudgetBytes);
        Assert.True(!HasBudget || statistics.RentedBytes + statistics.IdleBytes <= BudgetBytes, "more is held than the budget allows");
        Assert.InRange(_allocator.GetChargedIdleBytes(), 0, statistics.IdleBytes);
        foreach (KnownScope scope in _scopes)
        {
            Assert.Equal(ChargedTo(scope), scope.Scope.ChargedBytes);
            Assert.True(scope.LimitBytes is not { } limit || scope.Scope.ChargedBytes <= limit, "a scope has more than its budget");
        }
    }

    // The allocator's own budget. It pays for whole blocks of which slabs are cut.
    private long ChargedBytes =>
        BytesOfCutBlocks + ChargedDirectly(null, withPieces: false) + Inner(null).Sum(ChargedToAllocator);

    private long ChargedToAllocator(KnownScope scope) => scope.IsReservation
        ? ChargedOutside(scope)
        : ChargedDirectly(scope, withPieces: false) + Inner(scope).Sum(ChargedToAllocator);

    private long ChargedTo(KnownScope scope) => scope.LimitBytes is null ? 0 : ChargedWithin(scope);

    private long ChargedWithin(KnownScope scope) => ChargedDirectly(scope, withPieces: true) + Inner(scope).Sum(ChargedOutside);

    // A reservation that has ended gives back as its rents end.
    private long ChargedOutside(KnownScope scope) => scope is { IsReservation: true, IsClosed: false } ? scope.LimitBytes!.Value : ChargedWithin(scope);

    private IEnumerable<KnownScope> Inner(KnownScope? outer) => _scopes.Where(scope => scope.Outer == outer);

    private long ChargedDirectly(KnownScope? payer, bool withPieces) =>
        _memories.Where(memory => memory.Payer == payer && (withPieces || memory.Block == 0)).Sum(static memory => memory.HeldBytes);

    private bool Fits(KnownScope? scope, long bytes)
    {
        for (KnownScope? payer = scope?.Payer; payer is not null; payer = payer.Outer?.Payer)
        {
            if (ChargedWithin(payer) + bytes > payer.LimitBytes)
            {
                return false;
            }

            if (payer.IsReservation)
            {
                return true;
            }
        }

        return !HasBudget || ChargedBytes + bytes <= BudgetBytes;
    }
}
