using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool;

/// <content>
/// Taking memory from each tier under the budget. The budget is charged before memory is taken; whatever fails afterwards takes the charge back
/// and leaves nothing behind.
/// </content>
public sealed partial class PixelAllocator
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    private LifetimeGuard? TryTakeSmall(long bytes, RentBudget? budget, out long reusedBytes, out long neededBytes)
    {
        reusedBytes = long.MaxValue;
        if (_slabs is null)
        {
            return TryTakeArray((int)bytes, budget, out neededBytes);
        }

        SlabSizeClass? sizeClass = _slabs.Find(bytes);
        if (sizeClass is not null)
        {
            LifetimeGuard? guard = TryTakeSlabPiece(sizeClass, budget);
            if (guard is not null)
            {
                neededBytes = 0;
                return guard;
            }
        }
        else
        {
            LifetimeGuard? guard = TryTakeBlocks(1, budget, out reusedBytes, out neededBytes);
            if (guard is not null || neededBytes != 0)
            {
                return guard;
            }
        }

        reusedBytes = 0;
        return TryTakeUnpooled(1, bytes, bytes, budget, out neededBytes);
    }

    // Null: the pool is full, or the budget has no room for a block to cut.
    private LifetimeGuard? TryTakeSlabPiece(SlabSizeClass sizeClass, RentBudget? budget)
    {
        // The allocator's own budget pays for the slab's whole block; those of scopes pay for the piece.
        if (budget is not null && !budget.TryCharge(sizeClass.PieceBytes, belowRoot: true))
        {
            return null;
        }

        LifetimeGuard? guard = null;
        bool held = false;
        try
        {
            guard = _pool.TakeGuard();
            if (!sizeClass.TryTake(out Slab slab, out nint address))
            {
                return null;
            }

            guard.HoldSlabPiece(slab, address);
            guard.SetBudget(budget?.Payee);
            held = true;
        }
        finally
        {
            if (!held)
            {
                budget?.Refund(sizeClass.PieceBytes, belowRoot: true);
                if (guard is not null)
                {
                    _pool.ParkGuard(guard);
                }
            }
        }

        _pool.Count(new StripeCounters { SmallRents = 1 });
        return guard;
    }

    // Null without needed bytes: the pool is full.
    private LifetimeGuard? TryTakeBlocks(int count, RentBudget? budget, out long reusedBytes, out long neededBytes)
    {
        if (budget is null)
        {
            neededBytes = 0;
            LifetimeGuard? guard = _pool.TryRentGuarded(count, out int reused);
            reusedBytes = (long)reused * _options.BlockBytes;
            return guard;
        }

        return TryTakePooledWithinBudget(count, sideBySide: false, budget, out reusedBytes, out neededBytes);
    }

    // Null without needed bytes: the pool is full.
    private LifetimeGuard? TryTakeRun(int count, RentBudget? budget, out long reusedBytes, out long neededBytes)
    {
        int length = _pool.RunLength(count);
        if (budget is null)
        {
            neededBytes = 0;
            return _pool.TryRentRun(length, exactly: false, out reusedBytes);
        }

        return TryTakePooledWithinBudget(length, sideBySide: true, budget, out reusedBytes, out neededBytes);
    }

    private LifetimeGuard? TryTakePooledWithinBudget(int count, bool sideBySide, RentBudget budget, out long reusedBytes, out long neededBytes)
    {
        neededBytes = reusedBytes = 0;
        long bytes = (long)count * _options.BlockBytes;
        if (bytes > _pool.MaxPooledBytes)
        {
            // The pool never has them: the budget is asked for the bytes of the tier that serves.
            return null;
        }

        if (!TryCharge(budget, bytes, out neededBytes))
        {
            return null;
        }

        LifetimeGuard? guard = null;
        try
        {
            if (sideBySide)
            {
                guard = _pool.TryRentRun(count, exactly: true, out reusedBytes);
            }
            else
            {
                guard = _pool.TryRentGuarded(count, out int reused);
                reusedBytes = (long)reused * _options.BlockBytes;
            }

            guard?.SetBudget(budget.Payee);
            return guard;
        }
        finally
        {
            if (guard is null)
            {
                budget.Refund(bytes);
            }
        }
    }

    private LifetimeGuard? TryTakeUnpooled(int pieces, long pieceBytes, long lastPieceBytes, RentBudget? budget, out long neededBytes)
    {
        // No elements still are a rent, and no system gives zero bytes.
        lastPieceBytes = Math.Max(1, lastPieceBytes);
        long bytes = (pieceBytes * (pieces - 1)) + lastPieceBytes;
        if (!TryCharge(budget, bytes, out neededBytes))
        {
            return null;
        }

        LifetimeGuard? guard = null;
        bool held = false;
        try
        {
            _pool.HoldBesideBlocks(bytes);
            guard = _pool.TakeGuard();
            AllocatePieces(guard.Reserve(pieces), pieceBytes, lastPieceBytes);
            guard.SetFresh(bytes);
            guard.HoldUnpooled(pieces, pieceBytes, lastPieceBytes);
            guard.AskForLook();
            guard.SetBudget(budget?.Payee);
            held = true;
        }
        finally
        {
            if (!held)
            {
                _pool.EndBesideBlocks(bytes);
                budget?.Refund(bytes);
                if (guard is not null)
                {
                    _pool.ParkGuard(guard);
                }
            }
        }

        _pool.Count(new StripeCounters { UnpooledRents = 1, RentedBytes = bytes, AllocatedBytes = bytes });
        _pool.ObservePeak();
        _pool.ReportAllocated(bytes);
        return guard;
    }

    private void AllocatePieces(Span<nint> pieces, long pieceBytes, long lastPieceBytes)
    {
        for (int attempt = 0; ; attempt++)
        {
            int taken = 0;
            while (taken < pieces.Length
                && _pool.Source.TryAllocate(taken == pieces.Length - 1 ? lastPieceBytes : pieceBytes, _options.UseHugePages, out pieces[taken]))
            {
                taken++;
            }

            if (taken == pieces.Length)
            {
                return;
            }

            // The last piece was not reached: those before it are all of the same size.
            _pool.ReleaseUnpooled(pieces.Slice(0, taken), pieceBytes, pieceBytes);
            long bytes = (pieceBytes * (pieces.Length - 1)) + lastPieceBytes;
            if (!_pool.Recovery.TryMakeRoom(attempt, bytes))
            {
                Throw.OutOfMemory(bytes, pieces.Length, GetStatistics().RentedBytes);
            }
        }
    }

    private static bool TryCharge(RentBudget? budget, long bytes, out long neededBytes)
    {
        neededBytes = budget is null || budget.TryCharge(bytes) ? 0 : bytes;
        return neededBytes == 0;
    }
}
