using System.Runtime.CompilerServices;
using PixelPool.Accounts;
using PixelPool.Lifetime;

namespace PixelPool.Pooling;

// The way back: to the depot, or to the system when the depot is closed.
internal sealed partial class BlockPool
{
    /// <summary>Ends the rent of a guard that holds blocks, or one run of them.</summary>
    /// <param name="guard">The guard.</param>
    /// <param name="credit">Bytes of the allocator's budget that are free now; 0 when another one is released, or there is none.</param>
    /// <param name="blocksInPiece">Blocks of the run; 1 when they are single.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Return(LifetimeGuard guard, long credit, int blocksInPiece = 1) => Return(guard, guard.Pieces, blocksInPiece, wereRented: true, credit);

    /// <summary>Puts bare blocks into the depot.</summary>
    /// <param name="blocks">The blocks.</param>
    /// <param name="wereRented">Whether that ends a rent; otherwise nobody rented them.</param>
    /// <param name="credit">As for <see cref="Return(LifetimeGuard, long, int)"/>.</param>
    public void Return(ReadOnlySpan<nint> blocks, bool wereRented, long credit = 0)
    {
        if (!blocks.IsEmpty)
        {
            Return(guard: null, blocks, blocksInPiece: 1, wereRented, credit);
        }
    }

    /// <summary>Parks a guard that holds nothing any more; one of a closed depot is retired. Never throws.</summary>
    /// <param name="guard">The guard.</param>
    /// <param name="bytes">Bytes that are rented no more.</param>
    public void ParkGuard(LifetimeGuard guard, long bytes = 0)
    {
        if (Depot.Current.ParkGuard(guard, bytes))
        {
            StartTimer();
        }

        if (bytes != 0)
        {
            Depot.Caches.ClaimIfOftenMissed();
        }
    }

    /// <summary>Gives unpooled pieces back to the system.</summary>
    public void ReleaseUnpooled(ReadOnlySpan<nint> pieces, long pieceBytes, long lastPieceBytes)
    {
        for (int i = 0; i < pieces.Length; i++)
        {
            Source.Release(pieces[i], i == pieces.Length - 1 ? lastPieceBytes : pieceBytes);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Return(LifetimeGuard? guard, ReadOnlySpan<nint> pieces, int blocksInPiece, bool wereRented, long credit)
    {
        if (Depot.Current.TryReturn(guard, pieces, blocksInPiece, wereRented, credit, out bool keepsCredit))
        {
            if (!keepsCredit && credit != 0)
            {
                _budget!.Release(credit);
            }

            StartTimer();
            if (guard is not null && pieces.Length * blocksInPiece == 1)
            {
                Depot.Caches.ClaimIfOftenMissed();
            }

            return;
        }

        Drop(guard, pieces, blocksInPiece, wereRented, credit);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Drop(LifetimeGuard? guard, ReadOnlySpan<nint> pieces, int blocksInPiece, bool wereRented, long credit)
    {
        long bytes = (long)pieces.Length * blocksInPiece * BlockBytes;
        Accounts.Count(new StripeCounters { RentedBytes = wereRented ? -bytes : 0 });
        foreach (nint piece in pieces)
        {
            Trimmer.LetGo(blocksInPiece);
            Trimmer.ReleaseCounted(new BlockRun(piece, blocksInPiece));
        }

        if (guard is not null)
        {
            ParkGuard(guard);
        }

        if (credit != 0)
        {
            _budget!.Release(credit);
        }

        Trimmer.ReportDropped(bytes);
    }

    // The block that a cache kept, as it would have been returned. Nothing is done for the application here, under a lock.
    private bool TryPutBack(LifetimeGuard guard)
    {
        bool isIdle = Depot.Current.TryReturn(guard, guard.Pieces, blocksInPiece: 1, wereRented: false, credit: 0, out _);
        if (!isIdle)
        {
            Trimmer.LetGo(1);
        }

        return isIdle;
    }

    // One that was let go.
    private void Drop(LifetimeGuard guard)
    {
        Trimmer.ReleaseCounted(new BlockRun(guard.FirstPiece, 1));
        ParkGuard(guard);
        Trimmer.ReportDropped(BlockBytes);
    }

    /// <summary>Something is idle: the timer of trimming runs from now on. To be called without a lock, it is the application's timer. Never throws.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void StartTimer() => _scheduler?.Arm();
}
