using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Pooling;
using PixelPool.Trimming;

namespace PixelPool;

/// <content>The way back: to the depot, or to the system when the depot is closed.</content>
public sealed partial class UniformUnmanagedMemoryPool
{
    internal BlockSource Source => _source;

    /// <summary>Ends a guarded rent.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ReturnBlocks(LifetimeGuard guard, ReadOnlySpan<nint> blocks)
    {
        long bytes = (long)blocks.Length * BlockBytes;
        if (CurrentStripe.TryReturn(guard, blocks, bytes, _scheduler, out bool mustArm))
        {
            AfterReturn(mustArm);
            return;
        }

        ReleaseReturned(blocks);
        ParkGuard(guard, bytes);
        ReportDropped(bytes);
    }

    /// <summary>Ends a rent of bare blocks.</summary>
    internal void ReturnUncounted(ReadOnlySpan<nint> blocks)
    {
        long bytes = (long)blocks.Length * BlockBytes;
        if (CurrentStripe.TryReturn(null, blocks, bytes, _scheduler, out bool mustArm))
        {
            AfterReturn(mustArm);
            return;
        }

        ReleaseReturned(blocks);
        CurrentStripe.Count(new StripeCounters { RentedBytes = -bytes, ReleasedBytes = bytes });
        ReportDropped(bytes);
    }

    /// <summary>Parks a guard that holds nothing any more; one of a closed depot is retired.</summary>
    /// <param name="guard">The guard.</param>
    /// <param name="bytes">Bytes of the rent that went back where they came from: they are counted now.</param>
    internal void ParkGuard(LifetimeGuard guard, long bytes = 0)
    {
        if (!CurrentStripe.ParkGuard(guard, bytes, _scheduler, out bool mustArm))
        {
            guard.Retire();
        }
        else if (mustArm)
        {
            _scheduler!.Arm();
        }
    }

    /// <summary>Gives unpooled pieces back to the system.</summary>
    internal void ReleaseUnpooled(ReadOnlySpan<nint> pieces, long pieceBytes, long lastPieceBytes)
    {
        for (int i = 0; i < pieces.Length; i++)
        {
            _source.Release(pieces[i], i == pieces.Length - 1 ? lastPieceBytes : pieceBytes);
        }

        ReturnSignal.Notify();
    }

    // Blocks that a failed request had taken from the depot go back there: nobody rented them.
    private void MakeIdle(ReadOnlySpan<nint> blocks)
    {
        if (blocks.IsEmpty)
        {
            return;
        }

        if (CurrentStripe.TryReturn(null, blocks, 0, _scheduler, out bool mustArm))
        {
            AfterReturn(mustArm);
            return;
        }

        ReleaseReturned(blocks);
        CurrentStripe.Count(new StripeCounters { ReleasedBytes = (long)blocks.Length * BlockBytes });
        ReportDropped((long)blocks.Length * BlockBytes);
    }

    // What is left of a run that was cut: one block is none.
    private void MakeIdle(BlockRun run)
    {
        if (run.Blocks == 1)
        {
            Span<nint> block = stackalloc nint[1];
            block[0] = run.Address;
            MakeIdle(block);
            return;
        }

        if (CurrentStripe.TryReturnRun(null, run, 0, _scheduler, out bool mustArm))
        {
            AfterReturn(mustArm);
            return;
        }

        ReleaseReturned(run);
        CurrentStripe.Count(new StripeCounters { ReleasedBytes = (long)run.Blocks * BlockBytes });
        ReportDropped((long)run.Blocks * BlockBytes);
    }

    private void AfterReturn(bool mustArm)
    {
        if (mustArm)
        {
            _scheduler!.Arm();
        }

        ReturnSignal.Notify();
    }

    private void ReleaseReturned(ReadOnlySpan<nint> blocks)
    {
        // Copies, because their order changes: the caller's is not to be touched.
        Span<nint> batch = stackalloc nint[Math.Min(blocks.Length, TrimBatch)];
        for (int i = 0; i < blocks.Length; i += batch.Length)
        {
            batch = batch.Slice(0, Math.Min(batch.Length, blocks.Length - i));
            blocks.Slice(i, batch.Length).CopyTo(batch);
            _source.ReleaseBlocks(batch, BlockBytes);
        }

        Interlocked.Add(ref _allocatedBlocks, -blocks.Length);
        ReturnSignal.Notify();
    }

    private void ReleaseReturned(BlockRun run)
    {
        _source.ReleaseRun(run.Address, run.Blocks, BlockBytes);
        Interlocked.Add(ref _allocatedBlocks, -run.Blocks);
        ReturnSignal.Notify();
    }
}
